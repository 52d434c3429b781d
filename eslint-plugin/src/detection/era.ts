/** Which era is spoken where: a branch behind a question for it speaks one era alone. */
import {
  CLIENT_MEMBER,
  LEGACY_REVISION,
  MODERN_REVISION,
  REQUEST_CONTEXT,
  SERVER_SYMBOL,
  type Era,
} from '../../../src/protocol/index.js';
import {
  calleeName,
  memberCall,
  memberName,
  parentOf,
  peel,
  type FunctionNode,
  type Node,
  type SourceCode,
} from '../ast.js';
import { constantOf } from './bindings.js';
import { functionOf } from './origins.js';
import { stringOf } from './values.js';

/** The era that certainly is spoken where a node runs; undefined where it may be either. */
export function eraAt(sourceCode: SourceCode, node: Node): Era | undefined {
  let at = node;
  for (let parent = parentOf(at); parent !== undefined; parent = parentOf(parent)) {
    const era = eraOfPlace(sourceCode, at, parent);
    if (era !== undefined) return era;
    at = parent;
  }
  return undefined;
}

/** What the place of a node in its parent says. */
function eraOfPlace(sourceCode: SourceCode, node: Node, parent: Node): Era | undefined {
  switch (parent.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      if (node === parent.test) return undefined;
      return eraWhere(sourceCode, parent.test, node === parent.consequent);
    case 'LogicalExpression':
      return node === parent.right && parent.operator !== '??'
        ? eraWhere(sourceCode, parent.left, parent.operator === '&&')
        : undefined;
    case 'WhileStatement':
      return node === parent.body ? eraWhere(sourceCode, parent.test, true) : undefined;
    case 'SwitchCase': {
      const statement = parent.parent;
      if (node === parent.test || !asksForEra(sourceCode, statement.discriminant)) return undefined;
      return eraNamed(stringOf(sourceCode, parent.test));
    }
    case 'BlockStatement':
    case 'Program':
      return eraAfterGuards(sourceCode, node, parent.body);
    default:
      return undefined;
  }
}

/** `if (era !== 'modern') return;` before a statement. */
function eraAfterGuards(sourceCode: SourceCode, node: Node, statements: readonly Node[]): Era | undefined {
  for (const statement of statements) {
    if (statement === node) return undefined;
    if (statement.type !== 'IfStatement' || statement.alternate !== null || !leaves(statement.consequent))
      continue;
    const era = eraWhere(sourceCode, statement.test, false);
    if (era !== undefined) return era;
  }
  return undefined;
}

function leaves(statement: Node): boolean {
  const last = statement.type === 'BlockStatement' ? statement.body.at(-1) : statement;
  return (
    last !== undefined &&
    ['ReturnStatement', 'ThrowStatement', 'ContinueStatement', 'BreakStatement'].includes(last.type)
  );
}

/** The era that a condition being true (or false) proves. */
export function eraWhere(sourceCode: SourceCode, test: Node, holds: boolean, depth = 0): Era | undefined {
  const node = peel(test);
  if (depth > 6) return undefined;
  const next = (inner: Node, whether: boolean): Era | undefined =>
    eraWhere(sourceCode, inner, whether, depth + 1);
  switch (node.type) {
    case 'UnaryExpression':
      return node.operator === '!' ? next(node.argument, !holds) : undefined;
    case 'LogicalExpression':
      // Both sides of `a && b` hold where it does, neither of `a || b` holds where it does not.
      return (node.operator === '&&' && holds) || (node.operator === '||' && !holds)
        ? (next(node.left, holds) ?? next(node.right, holds))
        : undefined;
    case 'BinaryExpression':
      return eraOfComparison(sourceCode, node.operator, node.left, node.right, holds);
    case 'CallExpression': {
      if (calleeName(node.callee) === SERVER_SYMBOL.isLegacyRequest) return holds ? 'legacy' : 'modern';
      const answer = soleAnswer(functionOf(sourceCode, node.callee));
      return answer === undefined ? undefined : next(answer, holds);
    }
    case 'Identifier': {
      const value = constantOf(sourceCode, node);
      return value === undefined ? undefined : next(value, holds);
    }
    default:
      return undefined;
  }
}

/** `const isModern = () => client.getProtocolEra() === 'modern'`: what a function says that does nothing else. */
function soleAnswer(declared: FunctionNode | undefined): Node | undefined {
  if (declared === undefined || declared.async || declared.generator) return undefined;
  const { body } = declared;
  if (body.type !== 'BlockStatement') return body;
  const [statement, ...others] = body.body;
  return statement?.type === 'ReturnStatement' && others.length === 0
    ? (statement.argument ?? undefined)
    : undefined;
}

function eraOfComparison(
  sourceCode: SourceCode,
  operator: string,
  left: Node,
  right: Node,
  holds: boolean,
): Era | undefined {
  const isFlipped = stringOf(sourceCode, left) !== undefined;
  const [asked, against] = isFlipped ? [right, left] : [left, right];
  const value = stringOf(sourceCode, against);
  if (value === undefined) return undefined;
  const isEqual = operator === '===' || operator === '==';
  const isUnequal = operator === '!==' || operator === '!=';
  if (asksForEra(sourceCode, asked)) {
    if (!isEqual && !isUnequal) return undefined;
    const era = eraNamed(value);
    if (era === undefined) return undefined;
    // Before it is connected a client has no era: `!== 'legacy'` proves nothing, `!== 'modern'` proves that it is not.
    return isEqual === holds ? era : era === 'modern' ? 'legacy' : 'modern';
  }
  if (!asksForRevision(sourceCode, asked)) return undefined;
  const isModern = value >= MODERN_REVISION;
  if (isEqual || isUnequal) {
    if (isEqual === holds) return isModern ? 'modern' : 'legacy';
    return value === MODERN_REVISION ? 'legacy' : undefined;
  }
  const rises = isFlipped ? ['<=', '<'].includes(operator) : ['>=', '>'].includes(operator);
  const includes = operator.endsWith('=');
  if (value === MODERN_REVISION && includes === rises) return rises === holds ? 'modern' : 'legacy';
  const isLastLegacy = value === LEGACY_REVISION;
  return isLastLegacy && includes !== rises ? (rises === holds ? 'modern' : 'legacy') : undefined;
}

function eraNamed(value: string | undefined): Era | undefined {
  return value === 'modern' || value === 'legacy' ? value : undefined;
}

/** `client.getProtocolEra()`, `ctx.era`, or a name for one of them. */
function asksForEra(sourceCode: SourceCode, node: Node): boolean {
  const inner = peel(node);
  if (inner.type === 'CallExpression') return memberCall(inner)?.name === CLIENT_MEMBER.getProtocolEra;
  if (inner.type === 'MemberExpression') return isNameOfEra(memberName(inner));
  if (inner.type !== 'Identifier') return false;
  if (isNameOfEra(inner.name)) return true;
  const value = constantOf(sourceCode, inner);
  return value !== undefined && value !== inner && asksForEra(sourceCode, value);
}

/** `ctx.era`, and `this.protocolEra`, in which a host keeps what the client said. */
function isNameOfEra(name: string | undefined): boolean {
  return name === REQUEST_CONTEXT.era || name === 'protocolEra';
}

/** `client.getNegotiatedProtocolVersion()`, or a name that says so. */
function asksForRevision(sourceCode: SourceCode, node: Node): boolean {
  const inner = peel(node);
  const name =
    inner.type === 'CallExpression'
      ? calleeName(inner.callee)
      : inner.type === 'MemberExpression'
        ? memberName(inner)
        : inner.type === 'Identifier'
          ? inner.name
          : undefined;
  if (name !== undefined && /protocol_?version|negotiated_?version|^version$|^revision$/i.test(name))
    return true;
  if (inner.type !== 'Identifier') return false;
  const value = constantOf(sourceCode, inner);
  return value !== undefined && value !== inner && asksForRevision(sourceCode, value);
}

/** Whether a file asks for the era anywhere: then what is not behind the question may be meant for both. */
export function forksByEra(sourceCode: SourceCode): boolean {
  const { text } = sourceCode;
  return (
    text.includes(CLIENT_MEMBER.getProtocolEra) ||
    text.includes(SERVER_SYMBOL.isLegacyRequest) ||
    /\.era\b/.test(text)
  );
}
