/** Whether code can run for a modern peer: by what serves it in its file, else by what its package serves. */
import { SERVER_SYMBOLS } from '../../../src/protocol/index.js';
import { enclosingFunctions, type Node, type SourceCode } from '../ast.js';
import type { PackageIndex } from '../package/package-index.js';
import { isTestFile } from '../package/test-files.js';
import { variableOf } from './bindings.js';
import { isExported, variableOfFunction } from './named-functions.js';
import { enclosingClass } from './origins.js';
import { entriesAt, type Entry, type SdkServer } from './servers.js';

/** What a question about a file needs. */
export interface FileInPackage {
  readonly sourceCode: SourceCode;
  readonly filename: string;
  readonly otherFiles: PackageIndex | undefined;
}

/** An import of a serving entry, such as `import { createMcpHandler } from '@modelcontextprotocol/server'`. */
const IMPORTS = SERVER_SYMBOLS.flatMap(({ name, module, entry }) =>
  entry === undefined ? [] : [{ entry, pattern: new RegExp(`\\b${name}\\b[^;]*?['"]${module}['"]`) }],
);

/**
 * What serves the code at a node: see {@link entriesAt}. Where its file does not tell, but hands the code to others, all
 * that its package imports.
 */
export function entriesFor(
  { sourceCode, otherFiles, filename }: FileInPackage,
  node: Node,
  server?: SdkServer,
): ReadonlySet<Entry> {
  const entries = entriesAt(sourceCode, node, server);
  if (entries.size > 0 || otherFiles === undefined || server?.generation === 'v1') return entries;
  if (isTestFile(filename) || !isHandedOut(sourceCode, node)) return entries;
  return new Set(IMPORTS.filter(({ pattern }) => otherFiles.some(pattern)).map(({ entry }) => entry));
}

/** Whether a node is part of a function or class that other files can import. */
function isHandedOut(sourceCode: SourceCode, node: Node): boolean {
  const owner = enclosingClass(node);
  const ownName = owner?.id;
  const variables = [
    ...enclosingFunctions(node).map((one) => variableOfFunction(sourceCode, one)),
    ownName === null || ownName === undefined ? undefined : variableOf(sourceCode, ownName),
  ];
  return variables.some((variable) => variable !== undefined && isExported(variable));
}

/** Whether modern peers are among those served. */
export function isModern(entries: ReadonlySet<Entry>): boolean {
  return entries.has('http') || entries.has('stdio');
}
