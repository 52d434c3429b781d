/**
 * Modules in which subscribe handlers keep their books. They speak no MCP and have none of our words, but whether they
 * let a change through decides about every modern client.
 */
import { isChangeStreamFile } from '../codegen/change-stream.js';
import { METHOD, SCHEMA_METHODS } from '../protocol/index.js';
import {
  addImporters,
  readSupporting,
  specifiersIn,
  type CandidateText,
  type ImportReading,
} from './candidates.js';

/** What a file with subscribe handlers has in its text. */
const HANDLED: readonly string[] = [METHOD.resourcesSubscribe, METHOD.resourcesUnsubscribe].flatMap(
  (method) => [
    method,
    ...Object.entries(SCHEMA_METHODS).flatMap(([schema, of]) => (of === method ? [schema] : [])),
  ],
);

/** Adds them, and whoever else reads or fills them. */
export function addRegistryModules(
  texts: Map<string, CandidateText>,
  files: readonly string[],
  reading: ImportReading,
): void {
  const listed = new Set(files);
  const found = new Set<string>();
  for (const [file, from] of texts) {
    if (!HANDLED.some((word) => from.text.includes(word))) continue;
    for (const specifier of specifiersIn(from)) {
      const target = reading.resolve(specifier, file, (one) => listed.has(one));
      if (target === undefined || texts.has(target) || isChangeStreamFile(target)) continue;
      const read = readSupporting(target);
      if (read !== undefined && /subscri/i.test(read.text)) {
        texts.set(target, read);
        found.add(target);
      }
    }
  }
  if (found.size > 0) addImporters(texts, files, found, reading);
}
