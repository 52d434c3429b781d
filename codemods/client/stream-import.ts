/** The name by which a file calls the managed stream's factory, and the import that brings it in. */
import { changeStreamName } from '../../src/analysis/change-stream-calls.js';
import type { SourceUnit } from '../../src/analysis/source-unit.js';
import { CHANGE_STREAM_FUNCTION } from '../../src/codegen/change-stream.js';
import { importStatement } from '../../src/codegen/import-statement.js';
import { freeName } from '../../src/codegen/names.js';
import type { FileEdit } from '../codemod.js';
import { importFormOf, newImport } from '../import-places.js';

/** What this file calls the factory: by the import that it has already, else by a name that is free in it. */
export function streamName(unit: SourceUnit): string {
  const known = changeStreamName(unit.tree);
  if (known !== undefined) return known;
  const binding = bindingIn(unit);
  return importFormOf(unit) === 'equals' ? `${binding}.${CHANGE_STREAM_FUNCTION}` : binding;
}

/** What a new import binds: the factory, or by `import … = require(…)` the whole module. */
function bindingIn(unit: SourceUnit): string {
  const isTaken = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(unit.text);
  return importFormOf(unit) === 'equals'
    ? freeName([MODULE_NAME], isTaken)
    : freeName([CHANGE_STREAM_FUNCTION, MODULE_NAME], isTaken);
}

const MODULE_NAME = 'mcpChangeStream';

/**
 * The edit that imports the factory.
 *
 * @param specifier the module specifier of the copied file as this file has to spell it
 * @returns undefined when the file imports it already
 */
export function importEdit(unit: SourceUnit, specifier: string): FileEdit | undefined {
  if (changeStreamName(unit.tree) !== undefined) return undefined;
  const form = importFormOf(unit);
  const statement = importStatement(form, CHANGE_STREAM_FUNCTION, bindingIn(unit), specifier, unit.style);
  return newImport(unit, statement, 'the managed change stream');
}
