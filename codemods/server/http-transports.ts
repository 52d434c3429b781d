/** What is done with old transports that no modern handler does: it keeps a server where it is. */
import type { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import { contains, isAssigned } from '../../src/analysis/syntax.js';
import type { Hosting } from '../../src/analysis/http-hosting.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import { transportsOfServer } from '../../src/analysis/server-transports.js';
import type { Target } from '../../src/codegen/negotiation.js';
import { SERVER_TRANSPORTS, TRANSPORT_MEMBER } from '../../src/protocol/index.js';
import type { Obstacle } from '../obstacle.js';

const SDK_NAMES: ReadonlySet<string> = new Set(SERVER_TRANSPORTS.map(({ name }) => name));

/** Messages that are sent or caught by hand, transports of an own class. */
export function transportObstacle(
  group: ServerGroup,
  hosting: Hosting,
  { world }: Facts,
  target: Target,
): Obstacle | undefined {
  for (const { values, creations } of transportsOfServer(world, group)) {
    const own = creations.find(
      (one) => !SDK_NAMES.has(world.checker.getTypeAtLocation(one).getSymbol()?.name ?? ''),
    );
    if (own !== undefined)
      return { text: 'its transport is a class of its own, whose work no modern handler does', at: own };
    for (const { access, member } of values.members) {
      if (member === TRANSPORT_MEMBER.send)
        return {
          text: 'it sends messages of its own over the transport, for which listen streams have no place',
          at: access,
        };
      if (member === TRANSPORT_MEMBER.onmessage && isAssigned(access))
        return { text: 'messages are caught between its transport and the server', at: access };
    }
    // The old leg of a dual server goes on with whatever that does.
    const escape = values.escapes.find((node) => !isWithin(node, hosting));
    if (escape !== undefined && target === 'modern')
      return { text: 'its transport goes to code that is out of sight', at: escape };
  }
  return undefined;
}

/** What the old routes do with a transport is judged with the rest of their work. */
function isWithin(node: ts.Node, { functions }: Hosting): boolean {
  return functions.some((one) => contains(one, node));
}
