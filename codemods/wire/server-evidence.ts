/** What a module as a whole shows: whether it is a test, whether MCP is near, and by which transport it is reached. */
import { HEADER, MEDIA_TYPE, METHOD, SDK_SCOPE, V2_CLIENT_PACKAGE } from '../../src/protocol/index.js';
import { child, list, stringOf, within } from './tree.js';
import { callsOf, stringsOf, type WireModule } from './wire-module.js';

const RUNNERS = new Set([
  'vitest',
  '@jest/globals',
  'node:test',
  'mocha',
  'ava',
  'tap',
  'bun:test',
  '@effect/vitest',
  '@playwright/test',
]);

const TEST = Symbol('whether it is a test');

/** By its name or folder, or by the test runner that it imports. */
export function isTest(module: WireModule): boolean {
  const { path } = module;
  if (
    /[.-](?:test|spec|e2e|stories)\.[cm]?[jt]sx?$|(?:^|\/)(?:__tests__|__mocks__|tests?|specs?|e2e)\//.test(
      path,
    )
  )
    return true;
  return module.remember(TEST, () => importsOf(module).some((name) => RUNNERS.has(name)));
}

const IMPORTS = Symbol('what it imports');

/** The modules that a module imports, requires, or hands on. */
export function importsOf(module: WireModule): readonly string[] {
  return module.remember(IMPORTS, () => {
    const required = callsOf(module).flatMap((call) => {
      const [name] = list(call, 'arguments');
      const callee = child(call, 'callee');
      return callee?.['name'] === 'require' || callee?.type === 'Import' ? [stringOf(name) ?? ''] : [];
    });
    const declared = [...within(module.program)].flatMap((node) =>
      /^(?:Import|ExportNamed|ExportAll)Declaration$/.test(node.type)
        ? [stringOf(child(node, 'source')) ?? '']
        : [],
    );
    return [...required, ...declared];
  });
}

export function importsSdk(module: WireModule): boolean {
  return importsOf(module).some((name) => name.startsWith(SDK_SCOPE));
}

/** Whether a module runs code of the SDK, and does not only name its types: then the SDK does what the protocol asks for. */
export function runsOnSdk(module: WireModule): boolean {
  return importsSdk(module) && !importsTypesAlone(module);
}

function importsTypesAlone(module: WireModule): boolean {
  const declarations = module
    .of('ImportDeclaration')
    .filter((one) => stringOf(child(one, 'source'))?.startsWith(SDK_SCOPE) === true);
  return (
    declarations.length > 0 &&
    declarations.every(
      (one) =>
        one['importKind'] === 'type' ||
        list(one, 'specifiers').every((specifier) => specifier['importKind'] === 'type'),
    )
  );
}

/** Whether a module calls a server by its own means and is none itself: it names what it hears as well. */
export function isRawClient(module: WireModule): boolean {
  const code = codeOf(module);
  return (
    /\bfetch\(|\bspawn\(|\bEventSource\b|\.stdin\.write\(|\bhttps?\.request\(|\baxios\b|\bundici\b|\bgot\b/.test(
      code,
    ) &&
    !/\bcreateServer\(|\bnew Response\(|\bstdout\.write\(|\bresponse\.write|\bres\.write|\breply\b|\.enqueue\(/.test(
      code,
    )
  );
}

/** Whether a module is about a client of the SDK: what it does with a method's name is no answer of a server. */
export function importsSdkClient(module: WireModule): boolean {
  return importsOf(module).some(
    (name) =>
      name === V2_CLIENT_PACKAGE ||
      name.startsWith(`${V2_CLIENT_PACKAGE}/`) ||
      /^@modelcontextprotocol\/sdk\/client\b/.test(name),
  );
}

/** A text without its comments, ours among them: what they speak of is no evidence. */
export function withoutComments(text: string): string {
  return text.replaceAll(/^[ \t]*(?:\/\/[^\n]*|\/\*[\s\S]*?\*\/)/gm, '');
}

const CODE = Symbol('text without comments');

/** The text of a module without its comments. */
export function codeOf(module: WireModule): string {
  return module.remember(CODE, ({ text }) => withoutComments(text));
}

const METHODS = new Set<string>(Object.values(METHOD).filter((method) => method.includes('/')));

/** Whether something beside one method's name has to do with MCP: JSON-RPC, another method, the word itself. */
export function isMcpNear(module: WireModule): boolean {
  return (
    /jsonrpc|json-rpc|\bmcp|mcp\b|Mcp|MCP|modelcontextprotocol/i.test(module.text) ||
    /mcp/i.test(module.path) ||
    new Set(stringsOf(module).flatMap(({ value }) => (METHODS.has(value) ? [value] : []))).size > 2
  );
}

/** How a server is reached, as far as its own code shows. */
export type Reach = 'http' | 'stdio' | 'both';

export function reachOf(module: WireModule): Reach {
  const text = codeOf(module);
  const isHttp =
    new RegExp(`${HEADER.sessionId}|${MEDIA_TYPE.eventStream.replace('/', '\\/')}`, 'i').test(text) ||
    /\bnew Response\(|\.writeHead\(|\.setHeader\(|\bRequestHandler\b|\breply\b|\bcreateServer\(|\bexpress\b|\bfastify\b|\bHono\b/i.test(
      text,
    );
  const isStdio = /\bprocess\.std(?:in|out)\b|\breadline\b|\bstdio\b/i.test(text);
  return isHttp === isStdio ? 'both' : isHttp ? 'http' : 'stdio';
}
