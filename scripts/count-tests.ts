// Prints `N passed, N failed` from the JSON report of vitest, and fails when anything failed or nothing ran.
import { readFileSync } from 'node:fs';

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('usage: count-tests <vitest-report.json>');

const report = JSON.parse(readFileSync(path, 'utf8')) as VitestReport;

// A file that cannot even be loaded has failed, although it has no test to show for it.
const unloadable = report.testResults.filter(
  ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
).length;

const passed = report.numPassedTests;
const failed = report.numFailedTests + unloadable;

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
