/** What a file calls the SDK's functions, and the imports that bring them in. */
import type { SourceUnit } from '../../src/analysis/source-unit.js';
import { SERVER_SYMBOLS } from '../../src/protocol/index.js';
import { importedName, type ImportNeed } from './imports.js';

/** Gives names and remembers what was asked for. */
export interface SdkNames {
  /** The name of a function of the SDK in this file. */
  readonly nameOf: (name: string) => string;
  /** The imports of everything that was asked for. */
  needs(): ImportNeed[];
}

/** The names of one file. */
export function sdkNames(unit: SourceUnit): SdkNames {
  const needs = new Map<string, ImportNeed>();
  return {
    nameOf(name) {
      const row = SERVER_SYMBOLS.find((one) => one.name === name);
      if (row === undefined) throw new Error(`the SDK has no ${name}`);
      const need = { file: unit.file, module: row.module, name };
      needs.set(name, need);
      return importedName(unit, need);
    },
    needs: () => [...needs.values()],
  };
}
