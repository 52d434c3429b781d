/** The edit that closes an MCP handler in front of the HTTP server that carries it. */
import { indentAt, readFileStyle } from '../../../src/codegen/file-style.js';
import { handlerClosing } from '../../../src/codegen/mcp-handler.js';
import {
  dressedWithAwait,
  enclosingFunction,
  enclosingStatement,
  isCall,
  memberCall,
  parentOf,
  type FunctionNode,
  type Node,
  type SourceCode,
  type TSESLint,
  type TSESTree,
} from '../ast.js';
import { find } from '../detection/nodes.js';

/** At most one fix: none where the call is no statement of its own, or the handler cannot be seen from it. */
export function handlerCloseFixes(
  sourceCode: SourceCode,
  closing: Node,
  handler: string,
): TSESLint.ReportFixFunction[] {
  const style = readFileStyle(sourceCode.text);
  const declared = enclosingFunction(closing);
  const isVisible = isInScope(sourceCode, closing, handler);
  if (declared === undefined || !isVisible) return [];
  // What breaks the connections off at once would not leave the results the time to get out.
  const isAbrupt = !declared.async && find(sourceCode, declared.body, breaksOff).length > 0;
  if (isAbrupt && !isOnSignal(declared)) return [];
  const close = handlerClosing(handler, declared.async || isAbrupt);
  const waiting = (fixer: TSESLint.RuleFixer): TSESLint.RuleFix[] =>
    isAbrupt ? [fixer.insertTextBefore(declared, 'async ')] : [];
  const outer = dressedWithAwait(closing);
  if (declared.body === outer) {
    // () => server.close()
    if (parentOf(outer) !== declared || sourceCode.getText(outer).startsWith('(')) return [];
    const text = `{ ${close}; ${sourceCode.getText(outer)}; }`;
    return [(fixer) => fixer.replaceText(outer, text)];
  }
  const statement = enclosingStatement(closing);
  if (statement === undefined || !isOwn(statement, outer)) return [];
  const indent = indentAt(sourceCode.text, statement.range[0]);
  return [
    (fixer) => [
      ...waiting(fixer),
      fixer.insertTextBefore(statement, `${close}${style.semicolon}${style.eol}${indent}`),
    ],
  ];
}

function breaksOff(node: Node): node is TSESTree.CallExpression {
  const called = isCall(node) ? memberCall(node) : undefined;
  return (
    called !== undefined &&
    (['closeAllConnections', 'destroy'].includes(called.name) ||
      (called.name === 'exit' && isProcess(called.receiver)))
  );
}

/** `process.on('SIGTERM', () => …)`: what that function returns is asked by nobody. */
function isOnSignal(declared: FunctionNode): boolean {
  const called =
    declared.type === 'FunctionDeclaration' || declared.parent.type !== 'CallExpression'
      ? undefined
      : memberCall(declared.parent);
  return called !== undefined && ['on', 'once'].includes(called.name) && isProcess(called.receiver);
}

function isProcess(node: Node): boolean {
  return node.type === 'Identifier' && node.name === 'process';
}

/** `server.close(…);` and `await server.close(…);` */
function isOwn(statement: Node, call: Node): boolean {
  return statement.type === 'ExpressionStatement' && statement.expression === call;
}

function isInScope(sourceCode: SourceCode, from: Node, name: string): boolean {
  for (
    let scope: TSESLint.Scope.Scope | null = sourceCode.getScope(from);
    scope !== null;
    scope = scope.upper
  )
    if (scope.set.has(name)) return true;
  return false;
}
