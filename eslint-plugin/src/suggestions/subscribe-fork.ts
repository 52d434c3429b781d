/** A subscription of 2025 becomes a stream where the connection is a modern one. */
import { indentAt, readFileStyle, quoted } from '../../../src/codegen/file-style.js';
import { inlineListen } from '../../../src/codegen/listen.js';
import { freeName } from '../../../src/codegen/names.js';
import { CLIENT_MEMBER } from '../../../src/protocol/index.js';
import { parentOf, type Node, type SourceCode, type TSESLint, type TSESTree } from '../ast.js';
import type { ClientCall, ClientEra } from '../detection/clients.js';
import { propertyOf, stringOf } from '../detection/values.js';

/**
 * At most one fix: for `await client.subscribeResource({ uri })` as a statement of its own. The stream stays open as long
 * as the connection, so an end of the subscription is left to a person.
 */
export function forkFixes(
  sourceCode: SourceCode,
  { name, call, receiver }: ClientCall,
  era: ClientEra,
): TSESLint.ReportFixFunction[] {
  const awaited = parentOf(call);
  const statement = awaited === undefined ? undefined : parentOf(awaited);
  const uri = uriOf(call);
  if (name !== CLIENT_MEMBER.subscribeResource || uri === undefined || statement === undefined) return [];
  if (awaited?.type !== 'AwaitExpression' || statement.type !== 'ExpressionStatement') return [];
  if (!isBlock(parentOf(statement)) || sourceCode.getCommentsInside(statement).length > 0) return [];
  const { text } = sourceCode;
  const style = readFileStyle(text);
  const indent = indentAt(text, statement.range[0]);
  const client = sourceCode.getText(receiver);
  const subscription = freeName(['subscription'], (one) => text.includes(one));
  const isFork = era !== 'modern';
  const inner = isFork ? indent + style.indent : indent;
  const [opening, insisting] = inlineListen(
    client,
    sourceCode.getText(uri),
    uri.type === 'Identifier' ? undefined : stringOf(sourceCode, uri),
    subscription,
    inner,
    style,
  );
  const listening = opening + insisting;
  if (!isFork) return [(fixer) => fixer.replaceText(statement, listening)];
  const replacement = [
    `if (${client}.${CLIENT_MEMBER.getProtocolEra}() === ${quoted('modern', style)}) {`,
    `${inner}${listening}`,
    `${indent}} else {`,
    `${inner}${sourceCode.getText(statement)}`,
    `${indent}}`,
  ].join(style.eol);
  return [(fixer) => fixer.replaceText(statement, replacement)];
}

/** The URI of `{ uri }`: a name or a literal, which can be written more than once. */
function uriOf({ arguments: given }: TSESTree.CallExpression): Node | undefined {
  const [params] = given;
  if (given.length !== 1 || params?.type !== 'ObjectExpression') return undefined;
  const property = propertyOf(params, 'uri');
  if (property === undefined || property === 'unknown') return undefined;
  const { value } = property;
  return value.type === 'Identifier' || value.type === 'Literal' ? value : undefined;
}

function isBlock(node: Node | undefined): boolean {
  return node?.type === 'BlockStatement' || node?.type === 'Program';
}
