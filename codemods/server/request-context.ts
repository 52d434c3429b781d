/** How code in a factory names the context that the factory is given. */
import { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import { enclosingFunction } from '../../src/analysis/syntax.js';
import { freeName } from '../../src/codegen/names.js';
import type { FileEdit, Target } from '../codemod.js';
import { isTakenIn } from './imports.js';

export interface ContextName {
  readonly name: string;
  readonly edits: readonly FileEdit[];
}

const known = new WeakMap<ts.Node, ContextName>();

export function contextFor(
  node: ts.Node,
  group: ServerGroup,
  facts: Facts,
  target: Target,
): ContextName | undefined {
  if (target === 'modern') return undefined;
  for (let owner = enclosingFunction(node); owner !== undefined; owner = enclosingFunction(owner)) {
    const one: ts.Node = owner;
    if (!group.entries.some(({ factories }) => factories.some((factory) => factory === one))) continue;
    const before = known.get(owner);
    if (before !== undefined) return before;
    const [parameter] = owner.parameters;
    if (parameter !== undefined)
      return ts.isIdentifier(parameter.name) ? { name: parameter.name.text, edits: [] } : undefined;
    if (!ts.isArrowFunction(owner)) return undefined;
    const unit = facts.unitOf(owner);
    const name = freeName(['ctx', 'context'], isTakenIn(unit.tree));
    const start = unit.text.indexOf('(', owner.getStart());
    const end = unit.text.indexOf(')', start) + 1;
    const isBare = /(?<![\w)])\w+ =>/.test(unit.text);
    const edits = [
      { file: unit.file, start, end, text: isBare ? name : `(${name})`, reason: 'is given the context' },
    ];
    const found = { name, edits };
    known.set(owner, found);
    return found;
  }
  return undefined;
}
