/** A handler that lives as long as one request ends the streams that it opens, and publishes to nobody. */
import { HANDLER_MEMBER, SERVER_SYMBOL } from '../../../src/protocol/index.js';
import { enclosingFunctions, parentOf, type Node, type SourceCode, type TSESTree } from '../ast.js';
import { parametersWithin } from '../detection/answers.js';
import { variableOf } from '../detection/bindings.js';
import { usesOfHandler, type HandlerUse } from '../detection/mcp-handlers.js';
import { servingsOf, type Serving } from '../detection/servers.js';
import { isTestFile } from '../detection/test-files.js';
import { createRule } from '../rule.js';

const TO_NODE = SERVER_SYMBOL.toNodeHandler;

export const noRequestScopedHandler = createRule({
  name: 'no-request-scoped-handler',
  docs: {
    description: 'Disallow a handler that is built and closed with a single request',
    level: 'MUST',
    recommended: 'error',
  },
  type: 'problem',
  tokens: [SERVER_SYMBOL.createMcpHandler],
  messages: {
    closed:
      'This handler is closed with the request that it was built for, so every subscriptions/listen stream that it opens ends at once, and its notify reaches nobody. Build it once, outside of the request handler; its factory is told of each request.',
    unheard:
      'A change that is published on a handler of one request reaches the streams of that request alone: nobody who listens hears of the change. Build the handler once, outside of the request handler.',
  },
  check({ sourceCode, filename, report }) {
    if (isTestFile(sourceCode, filename)) return;
    for (const serving of servingsOf(sourceCode)) {
      if (serving.entry !== 'http') continue;
      const uses = usesOf(sourceCode, serving);
      if (uses === undefined || !servesOneRequest(sourceCode, serving, uses)) continue;
      if (uses.some(({ member }) => member === HANDLER_MEMBER.close))
        report({ node: serving.call.callee, messageId: 'closed' });
      else for (const { node } of uses.filter(isPublishing)) report({ node, messageId: 'unheard' });
    }
  },
});

/** All that is done with a handler; undefined where it may outlive the request: kept, handed on, exported. */
function usesOf(sourceCode: SourceCode, serving: Serving): HandlerUse[] | undefined {
  const uses = usesOfHandler(sourceCode, serving);
  const known: readonly (string | undefined)[] = [
    HANDLER_MEMBER.fetch,
    HANDLER_MEMBER.close,
    HANDLER_MEMBER.notify,
    TO_NODE,
  ];
  return uses?.every(({ member }) => known.includes(member) && member !== undefined) === true
    ? uses
    : undefined;
}

/** Whether what a request brings is given to the handler in the function that builds it, and nothing else is. */
function servesOneRequest(sourceCode: SourceCode, { call }: Serving, uses: readonly HandlerUse[]): boolean {
  const around = enclosingFunctions(call);
  const serving = uses.filter(({ member }) => member === HANDLER_MEMBER.fetch || member === TO_NODE);
  return (
    serving.length > 0 &&
    serving.every(({ node }) => {
      const calls = callsOf(sourceCode, node);
      return (
        calls.length > 0 &&
        calls.every(({ arguments: [request] }) => {
          const givers = request === undefined ? [] : parametersWithin(sourceCode, request);
          return givers.some((giver) => around.includes(giver));
        })
      );
    })
  );
}

/** `handler.fetch(request)`, `toNodeHandler(handler)(req, res)`, `const serve = toNodeHandler(handler); serve(req, res)`. */
function callsOf(sourceCode: SourceCode, served: Node): TSESTree.CallExpression[] {
  const parent = parentOf(served);
  if (parent?.type === 'CallExpression') return parent.callee === served ? [parent] : [];
  if (parent?.type !== 'VariableDeclarator' || parent.id.type !== 'Identifier') return [];
  return (variableOf(sourceCode, parent.id)?.references ?? [])
    .filter((reference) => reference.init !== true)
    .flatMap(({ identifier }) => callsOf(sourceCode, identifier));
}

/** `handler.notify.toolsChanged()` */
function isPublishing({ node, member }: HandlerUse): boolean {
  const method = parentOf(node);
  const call = method === undefined ? undefined : parentOf(method);
  return member === HANDLER_MEMBER.notify && call?.type === 'CallExpression' && call.callee === method;
}
