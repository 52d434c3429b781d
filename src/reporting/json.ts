/** The report as JSON text. */
import type { RunResult } from '../migration/result.js';
import { toReport } from './report.js';

/** The report, version 1, as JSON with two spaces and a final newline; `report.schema.json` describes it. */
export function toJson(result: RunResult): string {
  return `${JSON.stringify(toReport(result), null, 2)}\n`;
}
