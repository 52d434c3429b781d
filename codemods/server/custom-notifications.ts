/** Notifications of a server's own that it pushes without being asked: no listen stream carries them (I11). */
import { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import { nodesOfInterest } from '../../src/analysis/nodes-of-interest.js';
import { readMessage } from '../../src/analysis/publisher-messages.js';
import { classifyReceiver } from '../../src/analysis/receivers.js';
import { isTestFile } from '../../src/analysis/server-emits.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import { serverEmitsOf } from '../../src/analysis/server-publishers.js';
import { SERVER_TRANSPORT } from '../../src/analysis/subject.js';
import { accessedMember, peel } from '../../src/analysis/syntax.js';
import { SPEC_NOTIFICATIONS } from '../../src/protocol/index.js';
import type { Obstacle } from '../obstacle.js';
import type { Destination } from './move.js';

/** One of them. */
export interface CustomNotification {
  readonly call: ts.CallExpression;
  readonly method: string;
}

const known = new WeakMap<ServerGroup, readonly CustomNotification[]>();

/** Those of a server over HTTP; on stdio they pass as they are. */
export function customNotificationsOf(group: ServerGroup, facts: Facts): readonly CustomNotification[] {
  const before = known.get(group);
  if (before !== undefined) return before;
  const isOverHttp = group.entries.some(({ kind, transport }) => kind === 'http' || transport === 'http');
  const found = isOverHttp ? [...bySender(group, facts), ...byTransport(group, facts)] : [];
  known.set(group, found);
  return found;
}

function bySender(group: ServerGroup, { world }: Facts): CustomNotification[] {
  return serverEmitsOf(world, group).custom.flatMap(({ call, methods }) => {
    const method = methods.find((one) => !SPEC_NOTIFICATIONS.includes(one));
    return method === undefined ? [] : [{ call, method }];
  });
}

/** `transport.send({ method: 'ide/contextUpdate', … })`, in a file where the server is wired to one. */
function byTransport(group: ServerGroup, { world }: Facts): CustomNotification[] {
  const files = new Set(group.entries.map(({ call }) => call.getSourceFile()));
  return [...files].flatMap((file) =>
    nodesOfInterest(file).operations.flatMap((node): CustomNotification[] => {
      const accessed = ts.isCallExpression(node) ? accessedMember(peel(node.expression)) : undefined;
      if (!ts.isCallExpression(node) || accessed?.member !== 'send' || isTestFile(node)) return [];
      const [message] = node.arguments;
      if (message === undefined) return [];
      if (classifyReceiver(world, accessed.access.expression, SERVER_TRANSPORT) !== 'instance') return [];
      const method = readMessage(world, message).others.find((one) => !SPEC_NOTIFICATIONS.includes(one));
      return method === undefined ? [] : [{ call: node, method }];
    }),
  );
}

/** Modern clients would lose them together with the stream that carried them. */
export function customNotifications(group: ServerGroup, facts: Facts, to: Destination): Obstacle | undefined {
  const [first] = to === 'http' ? customNotificationsOf(group, facts) : [];
  if (first === undefined) return undefined;
  const { path } = facts.unitOf(first.call);
  return {
    text: `${first.method} in ${path} is a notification of its own, and a listen stream carries the four kinds of changes alone`,
    at: first.call,
  };
}
