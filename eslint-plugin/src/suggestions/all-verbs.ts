/** The edit that mounts a handler for all verbs, in place of routes of its path that answer some themselves. */
import { SERVER_SYMBOL } from '../../../src/protocol/index.js';
import { isFunction, memberCall, peel, type Node, type SourceCode, type TSESLint } from '../ast.js';
import { mcpHandlerOf } from '../detection/mcp-handlers.js';
import { originOf } from '../detection/origins.js';
import { statementOf, type Route } from '../detection/routes.js';

/** The fix; null where one of the routes is more than plain, or a comment would go. */
export function allVerbsFix(
  sourceCode: SourceCode,
  post: Route,
  others: readonly Route[],
): TSESLint.ReportFixFunction | null {
  const called = memberCall(post.node);
  if (called === undefined || !isPlainMount(sourceCode, post) || post.verbs.includes('all')) return null;
  const lines = others.map((route) => removableLines(sourceCode, route));
  if (lines.some((range) => range === undefined)) return null;
  return (fixer) => [
    fixer.replaceText(called.callee.property, 'all'),
    ...lines.flatMap((range) => (range === undefined ? [] : fixer.removeRange(range))),
  ];
}

/** `app.post(path, toNodeHandler(handler));` and `app.post(path, (c) => handler.fetch(c.req.raw));` */
function isPlainMount(sourceCode: SourceCode, route: Route): boolean {
  const { framework } = route;
  const handler = onlyHandler(route);
  if (handler === undefined || statementOf(route) === undefined) return false;
  if (framework === 'express')
    return originOf(sourceCode, handler)?.imported.name === SERVER_SYMBOL.toNodeHandler;
  if (framework !== 'hono' || !isFunction(handler) || handler.body.type === 'BlockStatement') return false;
  const fetched = memberCall(peel(handler.body));
  return (
    fetched?.name === 'fetch' &&
    fetched.call.arguments.length === 1 &&
    mcpHandlerOf(sourceCode, fetched.receiver) !== undefined
  );
}

/** The one handler of a route that is called on a name, as no link of a chain. */
function onlyHandler({ node, handlers }: Route): Node | undefined {
  return handlers.length === 1 && memberCall(node)?.receiver.type === 'Identifier' ? handlers[0] : undefined;
}

/** The lines of a route that does nothing but answer; undefined where it does more, or shares them. */
function removableLines(sourceCode: SourceCode, route: Route): readonly [number, number] | undefined {
  const statement = statementOf(route);
  const handler = onlyHandler(route);
  const isSettled = route.verbs.every((verb) => verb === 'get' || verb === 'delete');
  if (statement === undefined || !isFunction(handler) || !isSettled || !isOneStep(handler.body))
    return undefined;
  if (
    sourceCode.getCommentsInside(statement).length > 0 ||
    sourceCode.getCommentsBefore(statement).length > 0
  )
    return undefined;
  const { text } = sourceCode;
  const start = text.lastIndexOf('\n', statement.range[0] - 1) + 1;
  const newline = text.indexOf('\n', statement.range[1]);
  const end = newline === -1 ? text.length : newline + 1;
  const isAlone =
    text.slice(start, statement.range[0]).trim() === '' && text.slice(statement.range[1], end).trim() === '';
  return isAlone ? [start, end] : undefined;
}

function isOneStep(body: Node): boolean {
  return body.type !== 'BlockStatement' || body.body.length === 1;
}
