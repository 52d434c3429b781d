/** A modern endpoint takes POST alone: GET and DELETE are answered with 405. */
import { HEADER, SERVER_SYMBOL, SERVER_TRANSPORTS } from '../../../src/protocol/index.js';
import { isCall, type SourceCode } from '../ast.js';
import { answerOf } from '../detection/answers.js';
import { handlersIn, mayHoldHandler } from '../detection/mcp-handlers.js';
import { find, nodesOf } from '../detection/nodes.js';
import { functionOf } from '../detection/origins.js';
import { answeringFunction, isSamePlace, routesOf, type Route } from '../detection/routes.js';
import { verbBranchesBeside } from '../detection/verb-branches.js';
import { createRule, type CheckedFile } from '../rule.js';
import { allVerbsFix } from '../suggestions/all-verbs.js';

type Message = 'answers' | 'streams' | 'authFirst';

const INSTEAD = `Mount the handler for all verbs (\`app.all\`): it answers GET and DELETE with 405 by itself.`;

export const getAnswers405 = createRule<Message>({
  name: 'get-answers-405',
  docs: {
    description: 'Require that GET and DELETE on a modern MCP endpoint are answered with 405',
    level: 'SHOULD',
    recommended: 'error',
  },
  type: 'problem',
  fixable: true,
  tokens: [SERVER_SYMBOL.createMcpHandler, SERVER_SYMBOL.toNodeHandler, SERVER_SYMBOL.mcpHttpHandler],
  messages: {
    answers: `{{verb}} on an MCP endpoint of the modern era must say 405: this answer makes clients take the endpoint for one that speaks over {{verb}}. ${INSTEAD}`,
    streams: `The modern era has no event stream over {{verb}}: a client that opens this one is never sent a change, they go to the streams of subscriptions/listen. ${INSTEAD}`,
    authFirst: `Authentication stands in front of this 405, so a client without credentials is told 401 and takes {{verb}} for allowed. Answer 405 before authentication.`,
  },
  check(file) {
    const { sourceCode } = file;
    if (!mayHoldHandler(sourceCode) || hasLegacyLeg(sourceCode)) return;
    checkRoutes(file);
    checkBranches(file);
  },
});

/** A sessionful leg of 2025 owns GET and DELETE, on the same path as well. */
function hasLegacyLeg({ text }: SourceCode): boolean {
  return (
    text.includes(SERVER_SYMBOL.isLegacyRequest) ||
    SERVER_TRANSPORTS.some(({ name, kind }) => (kind === 'http' || kind === 'sse') && text.includes(name)) ||
    text.toLowerCase().includes(HEADER.sessionId.toLowerCase())
  );
}

function checkRoutes({ sourceCode, report }: CheckedFile<Message, object>): void {
  const routes = routesOf(sourceCode);
  const served = routes.filter((route) => takesPosts(route) && serves(sourceCode, route));
  const wrong = routes.flatMap((route) => {
    const verb = route.verbs.find((one) => one === 'get' || one === 'delete');
    const post = served.find((one) => isSamePlace(one, route));
    if (verb === undefined || post === undefined || serves(sourceCode, route)) return [];
    // What stands behind a route for all verbs is never reached.
    if (post.verbs.includes('all') && post.node.range[0] < route.node.range[0]) return [];
    const messageId = verdict(sourceCode, route);
    return messageId === undefined ? [] : [{ route, post, verb, messageId }];
  });
  for (const { route, post, verb, messageId } of wrong)
    report({
      node: route.place,
      messageId,
      data: { verb: verb.toUpperCase() },
      fix:
        messageId === 'authFirst'
          ? null
          : allVerbsFix(
              sourceCode,
              post,
              routes.filter((one) => isSamePlace(one, post) && one !== post),
            ),
    });
}

function takesPosts({ verbs }: Route): boolean {
  return verbs.includes('post') || verbs.includes('all');
}

/** Whether a route answers by an MCP handler, directly or through a function of the file. */
function serves(sourceCode: SourceCode, { handlers }: Route): boolean {
  return handlers.some((handler) => {
    const declared = functionOf(sourceCode, handler);
    if (handlersIn(sourceCode, declared ?? handler).length > 0) return true;
    const calls = declared === undefined ? [] : find(sourceCode, declared, isCall);
    return calls.some((call) => {
      const called = functionOf(sourceCode, call.callee);
      return called !== undefined && handlersIn(sourceCode, called).length > 0;
    });
  });
}

function verdict(sourceCode: SourceCode, route: Route): Message | undefined {
  const declared = answeringFunction(sourceCode, route);
  if (declared === undefined) return undefined;
  switch (answerOf(sourceCode, declared.body, declared)) {
    case 'refusal':
      return isBehindAuthentication(sourceCode, route) ? 'authFirst' : undefined;
    case 'stream':
      return 'streams';
    case 'other':
      return 'answers';
    case 'unknown':
      return undefined;
  }
}

const AUTHENTICATION = /auth|bearer|jwt|api_?key/i;

function isBehindAuthentication(sourceCode: SourceCode, route: Route): boolean {
  return route.handlers.slice(0, -1).some((handler) => AUTHENTICATION.test(sourceCode.getText(handler)));
}

function checkBranches({ sourceCode, report }: CheckedFile<Message, object>): void {
  const served = nodesOf(sourceCode)
    .of('CallExpression')
    .filter((call) => handlersIn(sourceCode, call.callee).length > 0);
  for (const { node, listener } of verbBranchesBeside(sourceCode, served)) {
    const answer = answerOf(sourceCode, node.consequent, listener);
    if (answer !== 'other' && answer !== 'stream') continue;
    report({
      node: node.test,
      messageId: answer === 'stream' ? 'streams' : 'answers',
      data: { verb: sourceCode.getText(node.test).includes('DELETE') ? 'DELETE' : 'GET' },
    });
  }
}
