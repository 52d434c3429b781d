/** The HTTP frameworks whose routes are read, each known by what it is imported as. */
import { memberCall, peel, type Node, type SourceCode } from '../ast.js';
import { originOf, type Origin } from './origins.js';

export type Framework = 'express' | 'fastify' | 'hono' | 'koa';

/** The application or router that an expression stands for. */
export interface Application {
  readonly framework: Framework;
  /** Equal for all names of one application. */
  readonly node: Node;
}

const MODULES: readonly (readonly [module: RegExp, framework: Framework])[] = [
  [/^express$/, 'express'],
  [/^fastify$/, 'fastify'],
  [/^hono(?:\/|$)/, 'hono'],
  [/^@hono\/zod-openapi$/, 'hono'],
  [/^(?:@koa\/router|koa-router)$/, 'koa'],
  [/^@modelcontextprotocol\/(?:express|sdk\/server\/express(?:\.js)?)$/, 'express'],
  [/^@modelcontextprotocol\/hono$/, 'hono'],
  [/^@modelcontextprotocol\/fastify$/, 'fastify'],
];

/** What of those modules makes an application, or is the type of one. */
const NAMES = new Set([
  '*',
  'default',
  'Router',
  'Express',
  'Application',
  'IRouter',
  'Fastify',
  'fastify',
  'FastifyInstance',
  'Hono',
  'OpenAPIHono',
  'createMcpExpressApp',
  'createMcpHonoApp',
  'createMcpFastifyApp',
]);

/** The application that an expression stands for; a chain of routes stands for the one that it begins with. */
export function applicationOf(sourceCode: SourceCode, expression: Node): Application | undefined {
  const node = peel(expression);
  const known = originOf(sourceCode, node);
  const framework = known === undefined ? undefined : frameworkOf(known);
  if (known !== undefined && framework !== undefined) return { framework, node: known.node };
  const chained = memberCall(node);
  return chained === undefined ? undefined : applicationOf(sourceCode, chained.receiver);
}

function frameworkOf({ imported: { module, name } }: Origin): Framework | undefined {
  return NAMES.has(name) ? MODULES.find(([pattern]) => pattern.test(module))?.[1] : undefined;
}
