/** Edits that take out statements, properties and fields with the white space and commas that are theirs. */
import type { Edit } from '../../src/codegen/edit.js';
import { child, list, nameOf, within, type Node } from './tree.js';
import { siblingsOf, type WireModule } from './wire-module.js';

/** The edit that takes out what stands on lines of its own; what shares its line goes alone. */
export function removal(module: WireModule, node: Pick<Node, 'start' | 'end'>, reason: string): Edit {
  const { text } = module;
  const lineStart = text.lastIndexOf('\n', node.start - 1) + 1;
  // What a comment behind it says is about it.
  const tail = /^[ \t]*(?:\/\/[^\r\n]*)?(?:\r?\n|$)/.exec(text.slice(node.end));
  const isAlone = text.slice(lineStart, node.start).trim() === '' && tail !== null;
  return isAlone
    ? { start: lineStart, end: node.end + tail[0].length, text: '', reason }
    : { start: node.start, end: node.end, text: '', reason };
}

/** The edits that take properties out of their literal, neighbours together. */
export function propertyRemovals(
  module: WireModule,
  literal: Node,
  removed: ReadonlySet<Node>,
  reason: string,
): Edit[] {
  const properties = list(literal, 'properties');
  const edits: Edit[] = [];
  for (let index = 0; index < properties.length; index += 1) {
    const first = properties[index];
    if (first === undefined || !removed.has(first)) continue;
    let last = first;
    for (
      let next = properties[index + 1];
      next !== undefined && removed.has(next);
      next = properties[index + 1]
    ) {
      last = next;
      index += 1;
    }
    edits.push(
      runRemoval(module, { first, last, before: properties[properties.indexOf(first) - 1] }, reason),
    );
  }
  return edits;
}

function runRemoval(
  module: WireModule,
  { first, last, before }: { first: Node; last: Node; before: Node | undefined },
  reason: string,
): Edit {
  const comma = /^\s*,/.exec(module.text.slice(last.end));
  if (comma === null) return { start: before?.end ?? first.start, end: last.end, text: '', reason };
  const end = last.end + comma[0].length;
  const whole = removal(module, { start: first.start, end }, reason);
  if (whole.end > end) return whole;
  return { ...whole, end: end + (/^[ \t]*/.exec(module.text.slice(end))?.[0].length ?? 0) };
}

/**
 * The edit that takes out a statement, and the `if` around it where it was all that this did; undefined where that is
 * not plain.
 */
export function statementRemoval(module: WireModule, statement: Node, reason: string): Edit | undefined {
  let whole = statement;
  let parent = module.parentOf(whole);
  if (parent?.type === 'BlockStatement' && list(parent, 'body').length === 1) {
    const owner = module.parentOf(parent);
    if (owner?.type === 'IfStatement') {
      whole = parent;
      parent = owner;
    }
  }
  if (parent?.type !== 'IfStatement')
    return siblingsOf(module, statement) === undefined ? undefined : removal(module, statement, reason);
  const test = child(parent, 'test');
  if (test === undefined || !isPure(test)) return undefined;
  const alternate = child(parent, 'alternate');
  const outer = module.parentOf(parent);
  const isElse = outer?.type === 'IfStatement' && child(outer, 'alternate') === parent;
  if (child(parent, 'alternate') === whole) {
    const consequent = child(parent, 'consequent');
    return consequent === undefined ? undefined : { start: consequent.end, end: whole.end, text: '', reason };
  }
  if (alternate !== undefined)
    // `else if (…) drop; else …`: what follows takes its place
    return alternate.type === 'IfStatement' || isElse
      ? { start: parent.start, end: alternate.start, text: '', reason }
      : undefined;
  if (!isElse) return removal(module, parent, reason);
  const before = child(outer, 'consequent');
  return before === undefined ? undefined : { start: before.end, end: parent.end, text: '', reason };
}

const CHANGING = new Set([
  'AssignmentExpression',
  'UpdateExpression',
  'AwaitExpression',
  'YieldExpression',
  'NewExpression',
]);
/** Calls that only look at texts. */
const READING = new Set(
  'startsWith endsWith includes slice substring trim trimStart trimEnd replace get test exec match indexOf split at toString String Number'.split(
    ' ',
  ),
);

/** Whether evaluating an expression does nothing but read. */
export function isPure(expression: Node): boolean {
  for (const node of within(expression)) {
    if (CHANGING.has(node.type)) return false;
    if (node.type !== 'CallExpression' && node.type !== 'OptionalCallExpression') continue;
    const callee = child(node, 'callee');
    const name = nameOf(child(callee, 'property') ?? callee);
    if (name === undefined || !READING.has(name)) return false;
  }
  return true;
}

/** Whether a comment stands inside a node. */
export function hasComments(module: WireModule, node: Node): boolean {
  const text = module.textOf(node);
  if (!text.includes('//') && !text.includes('/*')) return false;
  // Not in a string: `https://…` is none.
  const bare = text.replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, '""');
  return bare.includes('//') || bare.includes('/*');
}
