/** Who shuts a server down ends its listen streams with a result, so that clients know it from a broken line (T20). */
import { HANDLER_MEMBER, METHOD, SERVER_SYMBOL } from '../../../src/protocol/index.js';
import type { SourceCode } from '../ast.js';
import { abruptEndings } from '../detection/abrupt-endings.js';
import { serverClosings, serverCount } from '../detection/http-servers.js';
import { closesHandler, usesOfHandler } from '../detection/mcp-handlers.js';
import { nodesOf } from '../detection/nodes.js';
import { servingsOf, type Serving } from '../detection/servers.js';
import { isTestCode } from '../detection/test-code.js';
import { isTestFile } from '../detection/test-files.js';
import { createRule } from '../rule.js';
import { handlerCloseFixes } from '../suggestions/handler-close.js';

export const gracefulClose = createRule({
  name: 'graceful-close',
  docs: {
    description: 'Require that a shutdown ends the listen streams gracefully',
    level: 'SHOULD',
    recommended: 'warn',
  },
  type: 'problem',
  hasSuggestions: true,
  tokens: [SERVER_SYMBOL.createMcpHandler, METHOD.subscriptionsListen],
  messages: {
    abrupt:
      'This closes the HTTP server and never the MCP handler: open subscriptions/listen streams hold the shutdown up and then break off, which clients take for a lost connection. Call {{handler}}.close() first: it ends each stream with its result.',
    unanswered:
      "This ends every listen stream and answers none, which clients take for a lost connection. Write the empty result of each listen first (`result` with `resultType: 'complete'`, under the listen's id), then end its stream.",
    addClose: 'Close the handler first.',
  },
  check({ sourceCode, filename, report }) {
    for (const call of abruptEndings(sourceCode))
      if (!isTestCode(filename, call)) report({ node: call, messageId: 'unanswered' });
    const closings = serverClosings(sourceCode);
    if (closings.length === 0 || isTestFile(sourceCode, filename) || closesHandler(sourceCode)) return;
    // With several servers in a file, which of them carries the handler cannot be told.
    if (serverCount(sourceCode) !== 1) return;
    const handler = onlyHandler(sourceCode);
    if (handler === undefined) return;
    for (const call of closings)
      report({
        node: call,
        messageId: 'abrupt',
        data: { handler },
        suggest: handlerCloseFixes(sourceCode, call, handler).map((fix) => ({ messageId: 'addClose', fix })),
      });
  },
});

/** The name of the one handler of a file, where nobody outside of it can close it. */
function onlyHandler(sourceCode: SourceCode): string | undefined {
  const [serving, ...others] = servingsOf(sourceCode).filter(({ entry }) => entry === 'http');
  if (serving === undefined || others.length > 0) return undefined;
  return staysInside(sourceCode, serving) ? nameOf(sourceCode, serving) : undefined;
}

function staysInside(sourceCode: SourceCode, serving: Serving): boolean {
  const known: readonly (string | undefined)[] = [
    HANDLER_MEMBER.fetch,
    HANDLER_MEMBER.notify,
    HANDLER_MEMBER.bus,
    SERVER_SYMBOL.toNodeHandler,
  ];
  const uses = usesOfHandler(sourceCode, serving);
  return uses?.every(({ member }) => member !== undefined && known.includes(member)) === true;
}

function nameOf(sourceCode: SourceCode, { call }: Serving): string | undefined {
  const declarator = nodesOf(sourceCode)
    .of('VariableDeclarator')
    .find(({ init }) => init === call);
  return declarator?.id.type === 'Identifier' ? declarator.id.name : undefined;
}
