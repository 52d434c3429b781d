/** HTTP requests that a module makes: by `fetch` and by the client libraries of Node. */
import { bindingOf, functionOf } from './bindings.js';
import {
  calleeName,
  child,
  isCall,
  isMember,
  isProperty,
  isSpread,
  list,
  memberName,
  nameOf,
  peel,
  type Node,
} from './tree.js';
import { objectOf, propertyOf, textOf, valueOf } from './values.js';
import { callsOf, importOf, type WireModule } from './wire-module.js';

/** Whose call it is; each is told its method, headers and body in its own way. */
export type HttpLibrary = 'fetch' | 'undici' | 'axios' | 'got' | 'http';

/** A request. */
export interface HttpRequest {
  readonly call: Node;
  readonly library: HttpLibrary;
  /** The argument with the URL; absent where the options hold it. */
  readonly url: Node | undefined;
  /** The argument that holds the options, and the object that it stands for. */
  readonly options: { readonly argument: Node; readonly object: Node } | undefined;
  /** In capitals; GET where none is given; undefined where it cannot be read. */
  readonly method: string | undefined;
}

const REQUESTS = Symbol('requests');

/** The requests of a module. */
export function requestsOf(module: WireModule): readonly HttpRequest[] {
  return module.remember(REQUESTS, () => callsOf(module).flatMap((call) => requestOf(module, call) ?? []));
}

const FETCHES = new Set(['undici', 'node-fetch', 'cross-fetch', 'isomorphic-fetch', 'ky-universal']);
const NODE_HTTP = /^(?:node:)?https?$/;

function requestOf(module: WireModule, call: Node): HttpRequest | undefined {
  const callee = child(call, 'callee');
  if (callee === undefined) return undefined;
  const library = libraryOf(module, peel(callee));
  if (library === undefined) return undefined;
  const [first, second] = list(call, 'arguments');
  const inFirst = objectOf(module, first);
  const inSecond = objectOf(module, second);
  const isAlone = library !== 'fetch' && inFirst !== undefined && inSecond === undefined;
  const [argument, object] = isAlone ? [first, inFirst] : [second, inSecond];
  if (first === undefined || isSpread(first)) return undefined;
  return {
    call,
    library,
    url: isAlone ? valueOf(module, inFirst, 'url') : first,
    options: argument === undefined || object === undefined ? undefined : { argument, object },
    method: methodOf(module, call, library, argument, object),
  };
}

function libraryOf(module: WireModule, callee: Node): HttpLibrary | undefined {
  if (isMember(callee)) {
    const object = child(callee, 'object');
    const name = memberName(callee);
    if (object === undefined || name === undefined) return undefined;
    const receiver = peel(object);
    // `got.stream(…)`, `got.stream.get(…)`
    if (isStreamOfGot(module, callee) || isStreamOfGot(module, receiver)) return 'got';
    const imported = receiver.type === 'Identifier' ? importOf(module, receiver) : undefined;
    if (imported !== undefined && NODE_HTTP.test(imported.from))
      return name === 'request' || name === 'get' ? 'http' : undefined;
    if (imported?.from === 'undici')
      return name === 'fetch' ? 'fetch' : name === 'request' ? 'undici' : undefined;
    if (isAxios(module, receiver)) return name === 'get' || name === 'request' ? 'axios' : undefined;
    return /fetch/i.test(name) && !/^(?:prefetch|fetch[A-Z])/.test(name) ? 'fetch' : fetchKept(name);
  }
  const name = nameOf(callee);
  if (name === undefined) return undefined;
  const imported = importOf(module, callee);
  if (imported !== undefined) {
    if (NODE_HTTP.test(imported.from))
      return imported.name === 'request' || imported.name === 'get' ? 'http' : undefined;
    if (imported.from === 'undici' && imported.name === 'request') return 'undici';
    if (imported.from === 'axios') return 'axios';
    if (FETCHES.has(imported.from)) return 'fetch';
  }
  if (isAxios(module, callee)) return 'axios';
  // A function of the module's own that is called like this may do anything with what it is given.
  if (functionOf(module, callee) !== undefined) return undefined;
  return /^(?:fetch|.*fetch(?:fn|impl|function)?)$/i.test(name) && !/^prefetch/i.test(name)
    ? 'fetch'
    : undefined;
}

/** `this.fetchFn(…)`, `options.fetchImpl(…)` */
function fetchKept(name: string): HttpLibrary | undefined {
  return /^#?_?fetch(?:Fn|Impl|Function)$/.test(name) ? 'fetch' : undefined;
}

function isStreamOfGot(module: WireModule, node: Node): boolean {
  if (!isMember(node) || memberName(node) !== 'stream') return false;
  const object = child(node, 'object');
  if (object === undefined) return false;
  const receiver = peel(object);
  return receiver.type === 'Identifier' && importOf(module, receiver)?.from === 'got';
}

/** `axios`, or what `axios.create(…)` has made. */
function isAxios(module: WireModule, node: Node): boolean {
  if (node.type !== 'Identifier') return false;
  if (importOf(module, node)?.from === 'axios') return true;
  const made = child(bindingOf(module, node)?.declaration, 'init');
  const call = made === undefined ? undefined : peel(made);
  if (call === undefined || !isCall(call) || calleeName(call) !== 'create') return false;
  const callee = child(call, 'callee');
  const object = child(callee === undefined ? undefined : peel(callee), 'object');
  return object !== undefined && isAxios(module, peel(object));
}

function methodOf(
  module: WireModule,
  call: Node,
  library: HttpLibrary,
  argument: Node | undefined,
  object: Node | undefined,
): string | undefined {
  const called = calleeName(call);
  if ((library === 'axios' || library === 'http' || library === 'got') && called === 'get') return 'GET';
  if (object === undefined) return argument === undefined ? 'GET' : undefined;
  const property = propertyOf(module, object, 'method');
  if (property !== undefined)
    return textOf(module, isProperty(property) ? child(property, 'value') : undefined)?.toUpperCase();
  return list(object, 'properties').some(isSpread) && object !== argument ? undefined : 'GET';
}
