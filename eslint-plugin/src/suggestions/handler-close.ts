/** The edit that closes an MCP handler in front of the HTTP server that carries it. */
import { indentAt, readFileStyle } from '../../../src/codegen/file-style.js';
import {
  dressedWithAwait,
  enclosingFunction,
  enclosingStatement,
  parentOf,
  type Node,
  type SourceCode,
  type TSESLint,
} from '../ast.js';

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
  const close = `${declared.async ? 'await' : 'void'} ${handler}.close()`;
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
  return [(fixer) => fixer.insertTextBefore(statement, `${close}${style.semicolon}${style.eol}${indent}`)];
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
