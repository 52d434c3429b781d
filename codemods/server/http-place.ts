/** Where the new handler of a server that is hosted by hand goes. */
import type { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import { hostingOf, type HostedRoute, type Hosting } from '../../src/analysis/http-hosting.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import { newPlace, statementAround, type HandlerPlace } from './handler-place.js';

/** The hosting that a new handler is for, and its place. */
export interface NewHandlerPlace {
  readonly place: HandlerPlace;
  readonly hosting: Hosting;
  readonly stateless: boolean;
}

/** The place; undefined where the server is hosted at no place, at several, or out of sight. */
export function newHandlerPlace(group: ServerGroup, facts: Facts): NewHandlerPlace | undefined {
  const [hosting, ...others] = hostingOf(facts.world, group);
  if (hosting === undefined || others.length > 0) return undefined;
  const node = anchorOf(hosting);
  const place = node === undefined ? undefined : newPlace(node, facts);
  return place === undefined ? undefined : { place, hosting, stateless: hosting.stateless };
}

/** The node in front of whose statement the handler is made: the first old route, or the function that answers. */
function anchorOf(hosting: Hosting): ts.Node | undefined {
  const nodes = hosting.routes.map((one) => nodeOf(one));
  const statements = nodes.map((node) => (node === undefined ? undefined : statementAround(node)));
  const [first] = nodes;
  const list = statements[0]?.parent;
  return statements.every((one) => one !== undefined && one.parent === list) ? first : undefined;
}

/** Where a request is answered inside a function, the function's statement counts, which may stand elsewhere than the export. */
function nodeOf({ route, handlers }: HostedRoute): ts.Node | undefined {
  if (route.style !== 'next' && route.style !== 'fetch') return route.node;
  const [handler] = handlers;
  return handler ?? route.node;
}
