/** A wire codemod inside `scan` and `migrate`: the same decisions, brought to the nodes and groups of a run. */
import { createRequire } from 'node:module';
import type { JSCodeshift } from 'jscodeshift';
import type { SourceUnit } from '../../src/analysis/source-unit.js';
import { parsersFor, type ParserMaker } from './parsers.js';
import { readWireModule, type WireModule } from './wire-module.js';

const modules = new WeakMap<SourceUnit, { readonly module: WireModule | undefined }>();

let engine: { readonly j: JSCodeshift; readonly make: ParserMaker } | undefined;

/** Loaded when the first module has to be read: its parsers cost more than all of a scan that needs none. */
function loadEngine(): NonNullable<typeof engine> {
  const require = createRequire(import.meta.url);
  engine ??= {
    j: require('jscodeshift') as JSCodeshift,
    make: require('jscodeshift/src/getParser') as ParserMaker,
  };
  return engine;
}

/** The module of a unit, parsed once for all codemods; undefined where it does not parse. */
export function wireModuleOf(unit: SourceUnit): WireModule | undefined {
  const known = modules.get(unit);
  if (known !== undefined) return known.module;
  const { j, make } = loadEngine();
  const module = readWireModule(unit.path, unit.text, j, parsersFor(unit.path, make));
  modules.set(unit, { module });
  return module;
}
