import { getAnswers405 } from '../../../eslint-plugin/src/rules/get-answers-405.js';
import { testRule } from '../support/rule-tester.js';

const SDK = `import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';\nimport { toNodeHandler } from '@modelcontextprotocol/node';\n`;
const HANDLER = `const handler = createMcpHandler(() => new McpServer({ name: 'kb', version: '1.0.0' }));\n`;
const EXPRESS = `import express from 'express';\n${SDK}\n${HANDLER}const app = express();\n`;
const HONO = `import { Hono } from 'hono';\n${SDK}\n${HANDLER}const app = new Hono();\n`;
const POST = `app.post('/mcp', toNodeHandler(handler));\n`;

testRule(getAnswers405, {
  valid: [
    {
      name: 'all verbs go to the handler',
      code: `${EXPRESS}app.all('/mcp', toNodeHandler(handler));\napp.listen(3000);\n`,
    },
    {
      name: 'another path, and a GET that says 405, without a handler',
      code: `import express from 'express';\n\n// A different path, or a GET that already says 405: leave alone\nconst app = express();\napp.get('/health', (_req, res) => {\n    res.json({ status: 'ok' });\n});\napp.get('/mcp', (_req, res) => {\n    res.setHeader('Allow', 'POST').status(405).end();\n});\n`,
    },
    {
      name: 'another path',
      code: `${EXPRESS}${POST}app.get('/health', (_req, res) => {\n  res.json({ ok: true });\n});\n`,
    },
    {
      name: 'another router',
      code: `${EXPRESS}${POST}const pages = express.Router();\npages.get('/mcp', (_req, res) => {\n  res.json({ ok: true });\n});\n`,
    },
    {
      name: 'GET says 405',
      code: `${EXPRESS}${POST}app.get('/mcp', (_req, res) => {\n  res.status(405).set('Allow', 'POST').json({ error: 'Method not allowed' });\n});\n`,
    },
    {
      name: 'GET says 405 by a constant',
      code: `${EXPRESS}import { StatusCodes } from 'http-status-codes';\n${POST}app.get('/mcp', (_req, res) => {\n  res.status(StatusCodes.METHOD_NOT_ALLOWED).end();\n});\n`,
    },
    {
      name: 'the status comes from elsewhere',
      code: `${EXPRESS}import { refused } from './status.js';\n${POST}app.get('/mcp', (_req, res) => {\n  res.status(refused).end();\n});\n`,
    },
    {
      name: 'GET is handed on',
      code: `${EXPRESS}import { refuse } from './refuse.js';\n${POST}app.get('/mcp', refuse);\napp.delete('/mcp', (req, res) => refuse(req, res));\n`,
    },
    {
      name: 'GET chooses by what the client accepts',
      code: `${EXPRESS}${POST}app.get('/mcp', (req, res, next) => {\n  if (req.accepts('html')) res.send('<p>An MCP endpoint</p>');\n  else next();\n});\n`,
    },
    {
      name: 'a leg of 2025 with sessions',
      code: `${EXPRESS}import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';\nconst transports = new Map<string, NodeStreamableHTTPServerTransport>();\n${POST}app.get('/mcp', async (req, res) => {\n  res.json({ sessions: transports.size });\n});\n`,
    },
    {
      name: 'the eras are told apart in front',
      code: `${EXPRESS}import { isLegacyRequest } from '@modelcontextprotocol/server';\napp.all('/mcp', async (req, res, next) => ((await isLegacyRequest(req)) ? next() : toNodeHandler(handler)(req, res)));\napp.get('/mcp', (_req, res) => {\n  res.json({ ok: true });\n});\n`,
    },
    {
      name: 'a GET behind the route for all verbs is never reached',
      code: `${EXPRESS}app.all('/mcp', toNodeHandler(handler));\napp.get('/mcp', (_req, res) => {\n  res.json({ ok: true });\n});\n`,
    },
    {
      name: 'the POST route is no MCP handler of the SDK',
      code: `import express from 'express';\nimport { createMcpHandler } from 'mcp-handler';\nconst handler = createMcpHandler(() => {});\nconst app = express();\napp.post('/mcp', handler);\napp.get('/mcp', (_req, res) => {\n  res.json({ ok: true });\n});\n`,
    },
    {
      name: 'no framework',
      code: `${SDK}import { app } from './app.js';\n${HANDLER}${POST}app.get('/mcp', (_req, res) => {\n  res.json({ ok: true });\n});\n`,
    },
    {
      name: 'a setting of Express is read',
      code: `${EXPRESS}${POST}console.log(app.get('/mcp'));\n`,
    },
    {
      name: 'Next.js refuses GET',
      code: `${SDK}${HANDLER}export const POST = (request) => handler.fetch(request);\nexport const GET = async () => new Response(null, { status: 405 });\n`,
    },
    {
      name: 'a listener that answers GET elsewhere',
      code: `${SDK}import { createServer } from 'node:http';\n${HANDLER}const node = toNodeHandler(handler);\ncreateServer((req, res) => {\n  if (req.method === 'GET' && req.url === '/health') {\n    res.writeHead(200).end('ok');\n    return;\n  }\n  if (req.url === '/mcp') return node(req, res);\n  res.writeHead(404).end();\n}).listen(3000);\n`,
    },
    {
      name: 'a listener that asks for its path by a pattern',
      code: `${SDK}${HANDLER}export default {\n  fetch(request) {\n    const { pathname } = new URL(request.url);\n    if (!pathname.startsWith('/mcp') && request.method === 'GET') return new Response('ok');\n    return handler.fetch(request);\n  },\n};\n`,
    },
  ],
  invalid: [
    {
      name: 'JSON over GET',
      typed: true,
      code: `import express from 'express';\nimport { createMcpHandler, McpServer } from '@modelcontextprotocol/server';\nimport { toNodeHandler } from '@modelcontextprotocol/node';\n\nconst handler = createMcpHandler(() => new McpServer({ name: 'kb', version: '1.0.0' }));\nconst app = express();\napp.post('/mcp', toNodeHandler(handler));\napp.get('/mcp', (_req, res) => {\n    res.json({ name: 'kb', status: 'ok' });\n});\napp.listen(3000);\n`,
      output: `import express from 'express';\nimport { createMcpHandler, McpServer } from '@modelcontextprotocol/server';\nimport { toNodeHandler } from '@modelcontextprotocol/node';\n\nconst handler = createMcpHandler(() => new McpServer({ name: 'kb', version: '1.0.0' }));\nconst app = express();\napp.all('/mcp', toNodeHandler(handler));\napp.listen(3000);\n`,
      errors: [{ messageId: 'answers', line: 8, column: 5, data: { verb: 'GET' } }],
    },
    {
      name: 'GET and DELETE in one fix',
      code: `${EXPRESS}${POST}app.get('/mcp', (_req, res) => res.sendStatus(200));\napp.delete('/mcp', (_req, res) => {\n  res.status(204).end();\n});\napp.listen(3000);\n`,
      output: `${EXPRESS}app.all('/mcp', toNodeHandler(handler));\napp.listen(3000);\n`,
      errors: [
        { messageId: 'answers', line: 8, data: { verb: 'GET' } },
        { messageId: 'answers', line: 9, data: { verb: 'DELETE' } },
      ],
    },
    {
      name: 'Hono',
      code: `${HONO}app.post('/mcp', (c) => handler.fetch(c.req.raw));\napp.get('/mcp', (c) => c.json({ ok: true }));\nexport default app;\n`,
      output: `${HONO}app.all('/mcp', (c) => handler.fetch(c.req.raw));\nexport default app;\n`,
      errors: [{ messageId: 'answers', line: 8, column: 5 }],
    },
    {
      name: 'an event stream',
      code: `${EXPRESS}${POST}app.get('/mcp', (req, res) => {\n  res.writeHead(200, { 'Content-Type': 'text/event-stream' });\n  const timer = setInterval(() => res.write(': ping\\n\\n'), 15000);\n  req.on('close', () => clearInterval(timer));\n});\n`,
      errors: [{ messageId: 'streams', line: 8 }],
    },
    {
      name: 'a route that does more is left to a person',
      code: `${EXPRESS}${POST}app.get('/mcp', (_req, res) => {\n  visits += 1;\n  res.json({ visits });\n});\nlet visits = 0;\n`,
      errors: [{ messageId: 'answers', line: 8 }],
    },
    {
      name: 'a comment in the way',
      code: `${EXPRESS}${POST}// for the load balancer\napp.get('/mcp', (_req, res) => res.sendStatus(200));\n`,
      errors: [{ messageId: 'answers', line: 9 }],
    },
    {
      name: 'middleware of the POST route',
      code: `${EXPRESS}app.post('/mcp', express.json(), (req, res) => toNodeHandler(handler)(req, res, req.body));\napp.get('/mcp', (_req, res) => res.sendStatus(200));\n`,
      errors: [{ messageId: 'answers', line: 8 }],
    },
    {
      name: 'authentication before the 405',
      code: `${EXPRESS}import { requireBearerAuth } from '@modelcontextprotocol/express';\n${POST}app.get('/mcp', requireBearerAuth({ verifier }), (_req, res) => res.sendStatus(405));\n`,
      errors: [{ messageId: 'authFirst', line: 9 }],
    },
    {
      name: 'a chain of verbs',
      code: `${EXPRESS}app.route('/mcp').post(toNodeHandler(handler)).get((_req, res) => res.json({ ok: true }));\n`,
      errors: [{ messageId: 'answers', line: 7 }],
    },
    {
      name: 'a GET in front of the route for all verbs',
      code: `${EXPRESS}app.get('/mcp', (_req, res) => res.json({ ok: true }));\napp.all('/mcp', toNodeHandler(handler));\n`,
      errors: [{ messageId: 'answers', line: 7 }],
    },
    {
      name: 'several verbs of Hono',
      code: `${HONO}app.post('/mcp', (c) => handler.fetch(c.req.raw));\napp.on(['GET', 'DELETE'], '/mcp', (c) => c.body(null, 204));\n`,
      output: `${HONO}app.all('/mcp', (c) => handler.fetch(c.req.raw));\n`,
      errors: [{ messageId: 'answers', line: 8, data: { verb: 'GET' } }],
    },
    {
      name: 'Fastify, by options',
      code: `import Fastify from 'fastify';\n${SDK}${HANDLER}const node = toNodeHandler(handler);\nconst app = Fastify();\napp.post('/mcp', (request, reply) => node(request.raw, reply.raw, request.body));\napp.route({ method: 'GET', url: '/mcp', handler: async (request, reply) => reply.send({ ok: true }) });\n`,
      errors: [{ messageId: 'answers', line: 8 }],
    },
    {
      name: 'CommonJS, the path in a constant',
      commonjs: true,
      code: `const express = require('express');\nconst { createMcpHandler } = require('@modelcontextprotocol/server');\nconst { toNodeHandler } = require('@modelcontextprotocol/node');\nconst PATH = '/mcp';\nconst serve = toNodeHandler(createMcpHandler(build));\nconst app = express();\napp.post(PATH, serve);\napp.get(PATH, (req, res) => {\n  res.json({ ok: true });\n});\n`,
      output: `const express = require('express');\nconst { createMcpHandler } = require('@modelcontextprotocol/server');\nconst { toNodeHandler } = require('@modelcontextprotocol/node');\nconst PATH = '/mcp';\nconst serve = toNodeHandler(createMcpHandler(build));\nconst app = express();\napp.all(PATH, serve);\n`,
      errors: [{ messageId: 'answers', line: 8 }],
    },
    {
      name: 'an application from a parameter',
      code: `import type { Express } from 'express';\n${SDK}${HANDLER}export function mount(app: Express) {\n  app.post('/mcp', toNodeHandler(handler));\n  app.get('/mcp', (_req, res) => {\n    res.json({ ok: true });\n  });\n}\n`,
      output: `import type { Express } from 'express';\n${SDK}${HANDLER}export function mount(app: Express) {\n  app.all('/mcp', toNodeHandler(handler));\n}\n`,
      errors: [{ messageId: 'answers', line: 7 }],
    },
    {
      name: 'Next.js',
      code: `${SDK}${HANDLER}export const POST = (request) => handler.fetch(request);\nexport async function GET() {\n  return Response.json({ ok: true });\n}\n`,
      errors: [{ messageId: 'answers', line: 5, column: 23 }],
    },
    {
      name: 'a listener with one path',
      code: `${SDK}import { createServer } from 'node:http';\n${HANDLER}const node = toNodeHandler(handler);\ncreateServer((req, res) => {\n  if (req.url !== '/mcp') {\n    res.writeHead(404).end();\n    return;\n  }\n  if (req.method === 'GET') {\n    res.writeHead(200).end('ok');\n    return;\n  }\n  void node(req, res);\n}).listen(3000);\n`,
      errors: [{ messageId: 'answers', line: 11, data: { verb: 'GET' } }],
    },
    {
      name: 'a fetch listener for nothing else',
      code: `${SDK}${HANDLER}export default {\n  async fetch(request) {\n    if (request.method !== 'POST') return new Response('An MCP endpoint');\n    return handler.fetch(request);\n  },\n};\n`,
      errors: [{ messageId: 'answers', line: 6, data: { verb: 'GET' } }],
    },
  ],
});
