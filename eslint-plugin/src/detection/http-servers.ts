/** The HTTP servers that a file starts, and where it closes them. */
import { memberCall, peel, type Node, type SourceCode, type TSESTree } from '../ast.js';
import { applicationOf } from './frameworks.js';
import { nodesOf } from './nodes.js';
import { originOf } from './origins.js';
import { definitionOf, importOf, variableOf } from './bindings.js';

const MODULES = /^(?:(?:node:)?https?2?|@hono\/node-server)$/;
const MAKERS = new Set(['createServer', 'createSecureServer', 'serve', 'createAdaptorServer']);

/** How many HTTP servers a file makes. */
export function serverCount(sourceCode: SourceCode): number {
  return nodesOf(sourceCode)
    .of('CallExpression')
    .filter((call) => isMaking(sourceCode, call) || isListeningApplication(sourceCode, call)).length;
}

/** The calls of a file that close an HTTP server it has made: `server.close()`. */
export function serverClosings(sourceCode: SourceCode): TSESTree.CallExpression[] {
  return nodesOf(sourceCode)
    .of('CallExpression')
    .filter((call) => {
      const called = memberCall(call);
      return called?.name === 'close' && isHttpServer(sourceCode, called.receiver);
    });
}

function isMaking(sourceCode: SourceCode, node: Node): boolean {
  const imported = node.type === 'CallExpression' ? importOf(sourceCode, node.callee) : undefined;
  return imported !== undefined && MODULES.test(imported.module) && MAKERS.has(imported.name);
}

/** `app.listen(3000)` of Express makes the server by itself. */
function isListeningApplication(sourceCode: SourceCode, node: Node): boolean {
  const called = memberCall(node);
  return called?.name === 'listen' && applicationOf(sourceCode, called.receiver)?.framework === 'express';
}

function isHttpServer(sourceCode: SourceCode, expression: Node): boolean {
  const origin = originOf(sourceCode, expression);
  if (origin !== undefined) return isMaking(sourceCode, origin.node);
  const node = peel(expression);
  if (node.type !== 'Identifier') return false;
  const definition = definitionOf(variableOf(sourceCode, node));
  const init = definition?.type === 'Variable' ? (definition.node.init ?? undefined) : undefined;
  if (init === undefined) return false;
  // createServer(app).listen(3000)
  const made = peel(init);
  const called = memberCall(made);
  return (
    isListeningApplication(sourceCode, made) ||
    (called?.name === 'listen' && isHttpServer(sourceCode, called.receiver))
  );
}
