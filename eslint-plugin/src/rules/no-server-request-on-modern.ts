/** A modern server has no way to ask its client: such a call throws (T42). */
import {
  CONTEXT_REQUESTS,
  ERA_NEGOTIATION,
  REQUEST_CONTEXT,
  SERVER_REQUESTS,
  SERVER_SYMBOL,
} from '../../../src/protocol/index.js';
import {
  memberCall,
  memberName,
  parentOf,
  peel,
  type MemberCall,
  type Node,
  type SourceCode,
} from '../ast.js';
import { variableOf } from '../detection/bindings.js';
import { entriesReaching } from '../detection/callers.js';
import { eraAt } from '../detection/era.js';
import { nodesOf } from '../detection/nodes.js';
import { serverOf, type SdkServer } from '../detection/servers.js';
import { objectOf, stringOf, valueAt } from '../detection/values.js';
import { createRule } from '../rule.js';

export const noServerRequestOnModern = createRule({
  name: 'no-server-request-on-modern',
  docs: {
    description: 'Disallow requests towards the client in a factory that serves the modern era',
    level: 'MUST',
    recommended: 'warn',
  },
  type: 'problem',
  tokens: [SERVER_SYMBOL.createMcpHandler, SERVER_SYMBOL.serveStdio],
  messages: {
    asks: `{{call}} asks the client, which no server of the modern era can: there it throws {{error}}. Return \`inputRequired(…)\` from the handler, or keep the call to ctx.era === 'legacy'.`,
    pings: `{{call}} asks the client, which no server of the modern era can: there it throws {{error}}. Keep the call to ctx.era === 'legacy'.`,
  },
  check({ sourceCode, report }) {
    for (const call of nodesOf(sourceCode).of('CallExpression')) {
      const called = memberCall(call);
      const asked = called === undefined ? undefined : requestOf(sourceCode, called);
      if (called === undefined || asked === undefined || eraAt(sourceCode, call) !== undefined) continue;
      const entries = entriesReaching(sourceCode, call, 0, asked.server);
      const isModern = entries.has('http') || (entries.has('stdio') && !isGuarded(sourceCode, call));
      if (!isModern) continue;
      report({
        node: called.callee.property,
        messageId: asked.isPing ? 'pings' : 'asks',
        data: { call: `${called.name}()`, error: ERA_NEGOTIATION.methodNotSupported },
      });
    }
  },
});

interface Asked {
  readonly isPing: boolean;
  readonly server?: SdkServer | undefined;
}

/** `server.server.elicitInput(…)`, `ctx.mcpReq.elicitInput(…)`, `ctx.mcpReq.send({ method: 'roots/list' })`. */
function requestOf(sourceCode: SourceCode, called: MemberCall): Asked | undefined {
  const row = SERVER_REQUESTS.find(({ member }) => member === called.name);
  if (row !== undefined) {
    const server = serverOf(sourceCode, called.receiver);
    // McpServer itself has none of them; a subclass may call its own anything.
    if (server?.kind === 'Server' && server.generation === 'v2')
      return { isPing: row.member === 'ping', server };
  }
  if (!isRequestContext(sourceCode, called.receiver)) return undefined;
  if ((CONTEXT_REQUESTS as readonly string[]).includes(called.name)) return { isPing: false };
  if (called.name !== REQUEST_CONTEXT.send) return undefined;
  const request = objectOf(sourceCode, called.call.arguments[0]);
  const method = request === undefined ? undefined : valueAt(sourceCode, request, 'method');
  const sent = method === undefined || method === 'unknown' ? undefined : stringOf(sourceCode, method);
  const asked = SERVER_REQUESTS.find((one) => one.method === sent);
  return asked === undefined ? undefined : { isPing: asked.member === 'ping' };
}

/** `ctx.mcpReq` of a handler's parameter. */
function isRequestContext(sourceCode: SourceCode, receiver: Node): boolean {
  const node = peel(receiver);
  if (node.type !== 'MemberExpression' || memberName(node) !== REQUEST_CONTEXT.mcpReq) return false;
  const holder = peel(node.object);
  return holder.type === 'Identifier' && variableOf(sourceCode, holder)?.defs[0]?.type === 'Parameter';
}

/** Behind a question for the client's capabilities, which on stdio answers nothing in the modern era (T38). */
function isGuarded(sourceCode: SourceCode, call: Node): boolean {
  for (let at = call, parent = parentOf(at); parent !== undefined; at = parent, parent = parentOf(at)) {
    const test =
      parent.type === 'IfStatement' || parent.type === 'ConditionalExpression'
        ? parent.test
        : parent.type === 'LogicalExpression'
          ? parent.left
          : undefined;
    if (test !== undefined && test !== at && sourceCode.getText(test).includes('getClientCapabilities'))
      return true;
  }
  return false;
}
