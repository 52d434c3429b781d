/** Headers that code puts together: in a literal, in `new Headers(…)`, and one by one behind it. */
import {
  dressed,
  keyName,
  memberCall,
  memberName,
  parentOf,
  peel,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { variableOf } from './bindings.js';
import { objectOf, resolve, stringOf } from './values.js';

/** A header that is set. */
export interface Header {
  /** The property, the assignment or the call that sets it. */
  readonly node: TSESTree.Property | TSESTree.AssignmentExpression | TSESTree.CallExpression;
  readonly value: Node | undefined;
}

/** The headers of a request. */
export interface Headers {
  /** By name, in small letters. */
  readonly byName: ReadonlyMap<string, Header>;
  /** Whether there may be more than can be read. */
  readonly isOpen: boolean;
}

/** The headers that an expression stands for. */
export function headersOf(sourceCode: SourceCode, expression: Node | undefined): Headers {
  const byName = new Map<string, Header>();
  if (expression === undefined) return { byName, isOpen: false };
  const value = resolve(sourceCode, expression);
  const literal =
    value.type === 'NewExpression' ? objectOf(sourceCode, value.arguments[0]) : objectOf(sourceCode, value);
  const isOpen =
    literal === undefined
      ? value.type !== 'NewExpression' || value.arguments.length > 0
      : takeIn(sourceCode, literal, byName);
  for (const [name, header] of setOneByOne(sourceCode, expression)) byName.set(name, header);
  return { byName, isOpen };
}

/** Takes in the properties of a literal, and of those that it spreads; whether something cannot be read. */
function takeIn(
  sourceCode: SourceCode,
  literal: TSESTree.ObjectExpression,
  byName: Map<string, Header>,
): boolean {
  let isOpen = false;
  for (const property of literal.properties) {
    if (property.type === 'SpreadElement') {
      const parts = alternatives(property.argument).map((part) => objectOf(sourceCode, part));
      for (const part of parts) if (part === undefined || takeIn(sourceCode, part, byName)) isOpen = true;
      continue;
    }
    const name = headerName(sourceCode, property);
    if (name === undefined) isOpen = true;
    else byName.set(name.toLowerCase(), { node: property, value: property.value });
  }
  return isOpen;
}

/** The name that a property has, also behind a constant: `[SESSION_HEADER]: id`. */
export function headerName(sourceCode: SourceCode, property: TSESTree.Property): string | undefined {
  return property.computed ? stringOf(sourceCode, property.key) : keyName(property);
}

/** `last && { … }`, `last ? { … } : {}` */
function alternatives(spread: Node): Node[] {
  const node = peel(spread);
  switch (node.type) {
    case 'LogicalExpression':
      return node.operator === '&&' ? [node.right] : [node.left, node.right];
    case 'ConditionalExpression':
      return [node.consequent, node.alternate];
    default:
      return [node];
  }
}

/** `headers['accept'] = …`, `headers.set('accept', …)` on the variable that holds the headers. */
function setOneByOne(sourceCode: SourceCode, expression: Node): [string, Header][] {
  const name = peel(expression);
  if (name.type !== 'Identifier') return [];
  return (variableOf(sourceCode, name)?.references ?? []).flatMap(({ identifier }): [string, Header][] => {
    const member = parentOf(dressed(identifier));
    if (member?.type !== 'MemberExpression') return [];
    const outer = parentOf(member);
    if (outer?.type === 'AssignmentExpression' && outer.left === member) {
      const set = member.computed ? stringOf(sourceCode, member.property) : memberName(member);
      return set === undefined ? [] : [[set.toLowerCase(), { node: outer, value: outer.right }]];
    }
    const called = outer === undefined ? undefined : memberCall(outer);
    if (called?.callee !== member || !['set', 'append'].includes(called.name)) return [];
    const [first, value] = called.call.arguments;
    const set = stringOf(sourceCode, first);
    return set === undefined ? [] : [[set.toLowerCase(), { node: called.call, value }]];
  });
}
