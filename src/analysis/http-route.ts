/** A route of an HTTP server, whatever framework it is written for. */
import type { ts } from 'ts-morph';
import type { Application, Framework } from './http-frameworks.js';

/** A framework, or a way to serve without one. */
export type HttpStyle = Framework | 'node' | 'fetch' | 'next' | 'nest';

/** An HTTP verb in lower case; `all` answers every one. */
export type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete' | 'options' | 'head' | 'all';

/** One route. */
export interface Route {
  readonly style: HttpStyle;
  readonly verbs: readonly Verb[];
  /** As written; undefined where the place of the file, or the code itself, decides. */
  readonly path: ts.Expression | undefined;
  /** The path of `@Controller('mcp')`, of `app.route('/mcp')` and the like is in it. */
  readonly application: Application | undefined;
  /** What all routes of one application have in common: its declaration, the file of exports, the class of decorators. */
  readonly owner: ts.Node;
  /** The call that registers it, the exported declaration, the decorated method. */
  readonly node: ts.Node;
  /** What runs before the handler, in order, by the route's own arguments; of Fastify the options that say so. */
  readonly middleware: readonly ts.Expression[];
  /** What answers: an expression that stands for a function, or the function. */
  readonly handler: ts.Node;
  /** Fastify's options object of the route. */
  readonly options: ts.Expression | undefined;
  /** Whether the route is a statement of its own that registers nothing else, so that it can be replaced by itself. */
  readonly isAlone: boolean;
}

/** The verb that a member or a method name stands for. */
export function verbOf(name: string): Verb | undefined {
  return VERBS.get(name.toLowerCase());
}

const VERBS: ReadonlyMap<string, Verb> = new Map([
  ['get', 'get'],
  ['post', 'post'],
  ['put', 'put'],
  ['patch', 'patch'],
  ['delete', 'delete'],
  ['del', 'delete'],
  ['options', 'options'],
  ['head', 'head'],
  ['all', 'all'],
]);

/** Whether a route answers POST, on which every message of a client arrives. */
export function takesPosts({ verbs }: Pick<Route, 'verbs'>): boolean {
  return verbs.includes('post') || verbs.includes('all');
}
