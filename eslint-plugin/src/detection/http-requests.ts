/** HTTP requests that a file makes by hand: `fetch(url, { method, headers, body })` and its kin. */
import { calleeName, memberCall, type Node, type SourceCode, type TSESTree } from '../ast.js';
import { headersOf, type Headers } from './http-headers.js';
import { nodesOf } from './nodes.js';
import { objectOf, propertyOf, resolve, stringOf } from './values.js';

/** A request. */
export interface HttpRequest {
  readonly call: TSESTree.CallExpression;
  readonly url: Node | undefined;
  /** The object with method and headers. */
  readonly init: TSESTree.ObjectExpression;
  /** In capitals; GET where none is given; undefined where it cannot be read. */
  readonly method: string | undefined;
  readonly headers: Headers;
  /** The body as written, before `JSON.stringify`; undefined where there is none, or it cannot be read. */
  readonly body: Node | undefined;
}

const known = new WeakMap<SourceCode, readonly HttpRequest[]>();

/** The requests of a file whose options are written out. */
export function httpRequests(sourceCode: SourceCode): readonly HttpRequest[] {
  const requests =
    known.get(sourceCode) ??
    nodesOf(sourceCode)
      .of('CallExpression')
      .flatMap((call) => requestOf(sourceCode, call) ?? []);
  known.set(sourceCode, requests);
  return requests;
}

/** Names of functions that take a URL and an object of options: what a platform or a client library calls them. */
const SENDERS = /fetch|^(?:request|get|stream)$/i;

function requestOf(sourceCode: SourceCode, call: TSESTree.CallExpression): HttpRequest | undefined {
  const name = calleeName(call.callee);
  if (name === undefined || !SENDERS.test(name)) return undefined;
  const [first, second] = call.arguments;
  const init = objectOf(sourceCode, second) ?? objectOf(sourceCode, first);
  if (init === undefined || propertyOf(init, 'headers') === undefined) {
    // DELETE without headers is a request as well.
    if (init === undefined || propertyOf(init, 'method') === undefined) return undefined;
  }
  const body = propertyOf(init, 'body');
  return {
    call,
    url: objectOf(sourceCode, first) === init ? undefined : first,
    init,
    method: methodOf(sourceCode, init),
    headers: headersOf(sourceCode, valueOf(init, 'headers')),
    body: body === undefined || body === 'unknown' ? undefined : unserialized(sourceCode, body.value),
  };
}

function methodOf(sourceCode: SourceCode, init: TSESTree.ObjectExpression): string | undefined {
  const method = propertyOf(init, 'method');
  if (method === undefined) return 'GET';
  const text = method === 'unknown' ? undefined : stringOf(sourceCode, method.value);
  return text?.toUpperCase();
}

function valueOf(init: TSESTree.ObjectExpression, name: string): Node | undefined {
  const property = propertyOf(init, name);
  return property === undefined || property === 'unknown' ? undefined : property.value;
}

/** What is in `JSON.stringify(…)`. */
function unserialized(sourceCode: SourceCode, body: Node): Node {
  const value = resolve(sourceCode, body);
  const called = memberCall(value);
  const [argument] = called?.call.arguments ?? [];
  return called?.name === 'stringify' && argument !== undefined ? argument : value;
}
