// A 2025 server, wired by hand: it sends updates of the URIs that were subscribed to, and list changes unasked.
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const server = new McpServer(
  { name: 'stdio-legacy', version: '1' },
  { capabilities: { resources: { subscribe: true, listChanged: true }, tools: { listChanged: true } } },
);
const subscribed = new Set();
server.server.setRequestHandler('resources/subscribe', ({ params }) => {
  if (params.uri === 'x:no') throw new Error('no such resource');
  subscribed.add(params.uri);
  return {};
});
server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
  subscribed.delete(params.uri);
  return {};
});
server.registerTool('publish-once', {}, async () => {
  for (const uri of ['x:a', 'x:b']) if (subscribed.has(uri)) await server.server.sendResourceUpdated({ uri });
  server.sendToolListChanged();
  return { content: [] };
});
server.registerTool('subscribed', {}, () => ({ content: [{ type: 'text', text: [...subscribed].join() }] }));
await server.connect(new StdioServerTransport());
