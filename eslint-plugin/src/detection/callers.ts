/** Who calls a function of the file, and with which factory a piece of code runs. */
import {
  dressed,
  enclosingFunction,
  enclosingFunctions,
  isFunction,
  memberCall,
  parentOf,
  type FunctionNode,
  type Node,
  type SourceCode,
  type TSESLint,
  type TSESTree,
} from '../ast.js';
import { variableOf } from './bindings.js';
import { entriesAt, factoriesOf, type Entry, type SdkServer } from './servers.js';

/** Longer chains of helpers are nobody's code. */
const DEPTH = 4;

/** The name that a function is called by, where it has one. */
function nameOf(declared: FunctionNode): TSESTree.Identifier | undefined {
  if (declared.type === 'FunctionDeclaration') return declared.id ?? undefined;
  const outer = dressed(declared);
  const parent = parentOf(outer);
  return parent?.type === 'VariableDeclarator' && parent.init === outer && parent.id.type === 'Identifier'
    ? parent.id
    : undefined;
}

/** Every mention of a function by its name. */
export function mentionsOf(sourceCode: SourceCode, declared: FunctionNode): Node[] {
  const name = nameOf(declared);
  const variable: TSESLint.Scope.Variable | undefined =
    name === undefined ? undefined : variableOf(sourceCode, name);
  return (variable?.references ?? [])
    .filter((reference) => reference.init !== true)
    .map(({ identifier }) => identifier);
}

/** The calls of a function by its name. */
export function callsOf(sourceCode: SourceCode, declared: FunctionNode): TSESTree.CallExpression[] {
  return mentionsOf(sourceCode, declared).flatMap((mention) => {
    const parent = parentOf(mention);
    return parent?.type === 'CallExpression' && parent.callee === mention ? [parent] : [];
  });
}

const IN_PLACE = new Set(['forEach', 'map', 'flatMap', 'filter', 'some', 'every', 'find', 'reduce']);

/** `(() => { … })()` and `list.forEach(() => { … })`: a function that runs where it is written. */
export function runsInPlace(declared: FunctionNode): boolean {
  const outer = dressed(declared);
  const parent = parentOf(outer);
  if (parent?.type !== 'CallExpression') return false;
  return parent.callee === outer || IN_PLACE.has(memberCall(parent)?.name ?? '');
}

/**
 * The factories as part of whose own run a node runs: not in a handler that they register, nor in a callback for later,
 * but in their body, or in a function of the file that they call.
 */
export function factoriesRunning(sourceCode: SourceCode, node: Node, depth = 0): FunctionNode[] {
  const around = enclosingFunction(node);
  if (around === undefined || depth > DEPTH) return [];
  if (factoriesOf(sourceCode).has(around)) return [around];
  if (runsInPlace(around)) return factoriesRunning(sourceCode, around, depth);
  return callsOf(sourceCode, around).flatMap((call) => factoriesRunning(sourceCode, call, depth + 1));
}

/** What serves the code at a node and its server, also where a factory reaches it through functions of the file. */
export function entriesReaching(
  sourceCode: SourceCode,
  node: Node,
  depth = 0,
  server?: SdkServer,
): ReadonlySet<Entry> {
  const entries = new Set(entriesAt(sourceCode, node, server));
  if (depth > DEPTH) return entries;
  for (const around of enclosingFunctions(node))
    for (const call of callsOf(sourceCode, around))
      for (const entry of entriesReaching(sourceCode, call, depth + 1)) entries.add(entry);
  return entries;
}

/** Whether a value of a variable may be seen by code outside of a function. */
export function isDeclaredOutside(variable: TSESLint.Scope.Variable, declared: Node): boolean {
  return variable.defs.every(
    ({ name }) => name.range[0] < declared.range[0] || declared.range[1] < name.range[1],
  );
}

/** A function that is handed over as an argument, by itself or by its name: the calls that take it. */
export function takersOf(sourceCode: SourceCode, declared: FunctionNode): TSESTree.CallExpression[] {
  return [declared, ...mentionsOf(sourceCode, declared)].flatMap((one) => {
    const outer = dressed(one);
    const parent = parentOf(outer);
    return parent?.type === 'CallExpression' && parent.callee !== outer ? [parent] : [];
  });
}

/** Whether a node is a function, or names one of the file or of another. */
export function maybeFunction(sourceCode: SourceCode, node: Node): boolean {
  if (isFunction(node)) return true;
  return node.type === 'MemberExpression' || (node.type === 'Identifier' && isNoData(sourceCode, node));
}

function isNoData(sourceCode: SourceCode, identifier: TSESTree.Identifier): boolean {
  const init = variableOf(sourceCode, identifier)?.defs[0]?.node;
  return init?.type !== 'VariableDeclarator' || init.init === null || isFunction(init.init);
}
