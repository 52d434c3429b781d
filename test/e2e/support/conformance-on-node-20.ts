/**
 * Lets Node.js 20 load the conformance suite: `node --import tsx --import <this file> <suite>`. The suite imports
 * `fs.globSync`, which came with Node.js 22, for one of its other commands; a missing export stops all of it.
 */
import { register, type ResolveHook } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const FILE_SYSTEM = `data:text/javascript,${encodeURIComponent(
  `export * from 'node:fs'; export const globSync = undefined;`,
)}`;

// The hooks run in a thread of their own, which loads this module once more.
if (isMainThread) register(import.meta.url);

export const resolve: ResolveHook = (specifier, context, next) =>
  specifier === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/')
    ? { url: FILE_SYSTEM, shortCircuit: true }
    : next(specifier, context);
