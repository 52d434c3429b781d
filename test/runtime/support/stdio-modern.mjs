// A modern stdio server. Its tools make it publish, or leave in one of three ways.
import process from 'node:process';
import { setTimeout } from 'node:timers';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const maxSubscriptions = Number(process.argv[2] ?? 1024);

const handle = serveStdio(
  () => {
    const server = new McpServer(
      { name: 'stdio-modern', version: '1' },
      { capabilities: { resources: { subscribe: true, listChanged: true }, tools: { listChanged: true } } },
    );
    const publish = (uri, n) =>
      server.server.sendResourceUpdated({ uri, _meta: { 'test/sequence': n } }).catch(() => {});
    server.registerTool('publish', {}, async () => {
      for (let n = 0; n < 400; n += 1) {
        void publish('x:a', n);
        if (n % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      }
      return { content: [] };
    });
    server.registerTool('publish-once', {}, async () => {
      await publish('x:a', 0);
      await publish('x:b', 0);
      server.sendToolListChanged();
      return { content: [] };
    });
    server.registerTool('crash', {}, () => process.exit(1));
    server.registerTool('stop', {}, () => void handle.close());
    return server;
  },
  { maxSubscriptions },
);
