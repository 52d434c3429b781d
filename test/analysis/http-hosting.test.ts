import { describe, expect, test } from 'vitest';

import { isParsedBefore, parsesItself } from '../../src/analysis/body-parsing.js';
import { headersNotAllowed } from '../../src/analysis/cors-lists.js';
import { createFacts, type Facts } from '../../src/analysis/facts.js';
import { hostingOf } from '../../src/analysis/http-hosting.js';
import { resolveRelative } from '../../src/analysis/module-resolution.js';

function factsOf(files: Record<string, string>): Facts {
  const known = new Set(Object.keys(files).map((path) => `/w/${path}`));
  return createFacts(
    Object.entries(files).map(([path, text]) => ({ file: `/w/${path}`, path, package: '.', text })),
    (specifier, from) => resolveRelative(specifier, from, (file) => known.has(file)),
  );
}

/** How the servers of a workspace are hosted: `express post '/mcp', get '/mcp'`. */
function hostingsOf(files: Record<string, string>): string[] {
  const facts = factsOf(files);
  return facts.servers.flatMap((group) =>
    hostingOf(facts.world, group).map((hosting) => {
      const routes = hosting.routes.map(({ route }) => {
        const path = route.path === undefined ? '' : ` ${route.path.getText()}`;
        return route.verbs.join('+') + path;
      });
      const beside = hosting.beside.map((route) => ` beside ${route.verbs.join('+')}`).join('');
      const kind = hosting.stateless ? ' stateless' : '';
      return `${hosting.style}${kind} ${routes.join(', ')}${beside}`.trim();
    }),
  );
}

const IMPORTS = `import { McpServer } from '@modelcontextprotocol/server';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
`;

/** Opens a session, and answers one that is open. */
const OPEN = `async function open(req: any, res: any) {
  const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: () => '1', onsessioninitialized: (id: string) => { transports.set(id, transport); } });
  await new McpServer({ name: 'a', version: '1' }).connect(transport);
  await transport.handleRequest(req, res, req.body);
}
async function existing(req: any, res: any) {
  await transports.get(req.headers['mcp-session-id'])!.handleRequest(req, res);
}
const transports = new Map<string, NodeStreamableHTTPServerTransport>();
`;

/** What nobody calls is hosted out of sight; here it is only what a text does not use. */
function one(text: string): string[] {
  const found = hostingsOf({ 'a.ts': `${IMPORTS}${OPEN}${text}` });
  return found.length === 1 ? found : found.filter((hosting) => hosting !== 'unknown');
}

describe('the routes that lead to a transport are found', () => {
  test.each([
    [
      'on an application of Express',
      `import express from 'express';\nconst app = express();\napp.post('/mcp', open);\napp.get('/mcp', existing);\napp.get('/health', (req, res) => res.end());\n`,
      ["express post '/mcp', get '/mcp'"],
    ],
    [
      'through functions in between',
      `import express from 'express';\nconst app = express();\nconst handle = (req: any, res: any) => (req.method === 'POST' ? open(req, res) : existing(req, res));\napp.all('/mcp', (req, res) => handle(req, res));\n`,
      ["express all '/mcp'"],
    ],
    [
      'behind a wrapper',
      `import { Router } from 'express';\nconst router = Router();\nconst caught = (handler: any) => handler;\nrouter.post('/mcp', caught(open));\n`,
      ["express post '/mcp'"],
    ],
    [
      'on a field of a class, with bound methods',
      `import express, { type Express } from 'express';\nclass Host {\n  private app: Express;\n  constructor() {\n    this.app = express();\n    this.app.post('/mcp', this.open.bind(this));\n  }\n  async open(req: any, res: any) {\n    await open(req, res);\n  }\n}\n`,
      ["express post '/mcp'"],
    ],
    [
      'on an application that a parameter stands for',
      `import express, { type Application } from 'express';\nexport function mount(app: Application, path: string) {\n  app.post(path, open);\n}\nmount(express(), '/mcp');\n`,
      ['express post path'],
    ],
    [
      'in a chain',
      `import express from 'express';\nconst app = express();\napp.route('/mcp').post(open).get(existing);\n`,
      ["express post '/mcp', get '/mcp'"],
    ],
    [
      'by method and by options of Fastify, in a plugin',
      `import Fastify from 'fastify';\nconst app = Fastify();\napp.register(async (instance) => {\n  instance.post('/mcp', (request, reply) => open(request.raw, reply.raw));\n  instance.route({ method: ['GET', 'DELETE'], url: '/mcp', handler: (request, reply) => existing(request.raw, reply.raw) });\n});\n`,
      ["fastify post '/mcp', get+delete '/mcp'"],
    ],
    [
      'on Koa',
      `import Router from '@koa/router';\nconst router = new Router();\nrouter.post('/mcp', (ctx: any) => open(ctx.req, ctx.res));\n`,
      ["koa post '/mcp'"],
    ],
    [
      'as decorated methods',
      `import { Controller, Post } from '@nestjs/common';\n@Controller('mcp')\nclass Host {\n  @Post()\n  async handle(req: any, res: any) {\n    await open(req, res);\n  }\n}\n`,
      ['nest post'],
    ],
    [
      'in a listener of node:http',
      `import http from 'node:http';\nhttp.createServer((req, res) => void open(req, res)).listen(1);\n`,
      ['node all'],
    ],
    [
      'at several paths',
      `import express from 'express';\nconst app = express();\napp.all('/mcp', open);\napp.all('/', open);\n`,
      ["express all '/mcp'", "express all '/'"],
    ],
    ['nowhere', '', ['unknown']],
    [
      'with what answers beside them',
      `import express from 'express';\nconst app = express();\nconst PATH = '/mcp';\napp.post(PATH, open);\napp.get('/mcp', (req, res) => res.status(405).end());\n`,
      ['express post PATH beside get'],
    ],
  ])('%s', (_, text, expected) => {
    expect(one(text)).toEqual(expected);
  });

  test('in another file than the transport and the application', () => {
    const files = {
      'server.ts': `${IMPORTS}${OPEN.replace('async function open', 'export async function open')}`,
      'app.ts': `import express from 'express';\nexport const app = express();\n`,
      'routes.ts': `import { app } from './app.js';\nimport { open } from './server.js';\napp.post('/mcp', open);\n`,
    };
    // what leads to no session of its own has no route: `existing` is called by nobody
    expect(hostingsOf(files)).toEqual(["express post '/mcp'", 'unknown']);
  });

  const fetchOpen = `${IMPORTS}async function answer(request: Request): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport();
  await new McpServer({ name: 'a', version: '1' }).connect(transport);
  return transport.handleRequest(request);
}
`;

  test.each([
    [
      'as exported verbs',
      `export const POST = answer;\nexport { answer as GET };\n`,
      ['next stateless post, get'],
    ],
    ['as fetch of a worker', `export default { fetch: answer };\n`, ['fetch stateless all']],
    ['as a handler of Deno', `Deno.serve(answer);\n`, ['fetch stateless all']],
    [
      'on Hono',
      `import { Hono } from 'hono';\nconst app = new Hono();\napp.on(['POST', 'GET'], '/mcp', (c) => answer(c.req.raw));\n`,
      ["hono stateless post+get '/mcp'"],
    ],
    ['as a function that a host out of sight calls', '', ['fetch stateless all']],
  ])('%s', (_, text, expected) => {
    expect(hostingsOf({ 'a.ts': fetchOpen + text })).toEqual(expected);
  });

  test('and functions of the same names are none', () => {
    const text = `import express from 'express';\nconst app = express();\nconst balancer = { handleRequest: (request: any) => request };\napp.post('/mcp', (req, res) => balancer.handleRequest(req));\n`;
    expect(hostingsOf({ 'a.ts': text })).toEqual([]);
  });
});

describe('a body is parsed before a route', () => {
  /** Whether the POST route of a text has a parsed body, by what. */
  function parsing(text: string): string {
    const facts = factsOf({ 'a.ts': `${IMPORTS}${OPEN}${text}` });
    const [group] = facts.servers;
    const routes = group === undefined ? [] : hostingOf(facts.world, group).flatMap((one) => one.routes);
    const post = routes.find(({ route }) => route.verbs.includes('post'))?.route;
    if (post === undefined) throw new Error('no route for POST');
    return parsesItself(post, facts.world) ? 'itself' : isParsedBefore(post, facts.world) ? 'before' : 'no';
  }
  const EXPRESS = `import express, { Router } from 'express';\nimport bodyParser from 'body-parser';\nimport { createMcpExpressApp } from '@modelcontextprotocol/express';\n`;

  test.each([
    [
      'by the application',
      `const app = express();\napp.use(express.json());\napp.post('/mcp', open);`,
      'before',
    ],
    [
      'by another package',
      `const app = express();\napp.use(bodyParser.json({ limit: 1 }));\napp.post('/mcp', open);`,
      'before',
    ],
    [
      'by a constant',
      `const parser = express.json();\nconst app = express();\napp.use(parser);\napp.post('/mcp', open);`,
      'before',
    ],
    [
      'on its path',
      `const app = express();\napp.use('/mcp', express.json());\napp.post('/mcp', open);`,
      'before',
    ],
    ['by the route', `const app = express();\napp.post('/mcp', express.json(), open);`, 'itself'],
    ["by the SDK's own application", `const app = createMcpExpressApp();\napp.post('/mcp', open);`, 'before'],
    [
      'by what its router is mounted on',
      `const router = Router();\nrouter.post('/mcp', open);\nconst app = express();\napp.use(express.json());\napp.use('/api', router);`,
      'before',
    ],
    [
      'by who hands the application over',
      `function mount(app: express.Application) {\n  app.post('/mcp', open);\n}\nconst app = express();\napp.use(express.json());\nmount(app);`,
      'before',
    ],
    ['but not behind it', `const app = express();\napp.post('/mcp', open);\napp.use(express.json());`, 'no'],
    [
      'but not on another path',
      `const app = express();\napp.use('/api', express.json());\napp.post('/mcp', open);`,
      'no',
    ],
    [
      'but not for another type',
      `const app = express();\napp.use(express.json({ type: 'text/x' }));\napp.post('/mcp', open);`,
      'no',
    ],
    [
      'but not under a condition',
      `const app = express();\nif (process.env.A) app.use(express.json());\napp.post('/mcp', open);`,
      'no',
    ],
    [
      'but not by a router that is mounted before',
      `const router = Router();\nrouter.post('/mcp', open);\nconst app = express();\napp.use('/api', router);\napp.use(express.json());`,
      'no',
    ],
  ])('%s', (_, text, expected) => {
    expect(parsing(EXPRESS + text)).toBe(expected);
  });
});

describe('headers that browsers may not send', () => {
  test.each([
    [
      `cors({ allowedHeaders: ['Content-Type', 'Mcp-Session-Id', 'MCP-Protocol-Version'] })`,
      ['Mcp-Method', 'Mcp-Name'],
    ],
    [`cors({ allowHeaders: ['mcp-session-id', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] })`, []],
    [`cors({ allowedHeaders: '*' })`, []],
    [`cors({ allowedHeaders: ['Content-Type'] })`, []],
    [
      `res.setHeader('Access-Control-Allow-Headers', 'Content-Type, Mcp-Session-Id')`,
      ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'],
    ],
  ])('%s', (text, expected) => {
    const facts = factsOf({ 'a.ts': text });
    const [unit] = facts.units;
    expect(unit === undefined ? undefined : headersNotAllowed(unit.tree)).toEqual(expected);
  });
});
