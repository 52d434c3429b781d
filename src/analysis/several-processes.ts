/** What shows that several processes serve the same clients: a cluster, a relay between the nodes that hold sessions, functions of a platform. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from './closed-world.js';
import { moduleOf } from './factory-work.js';
import { hostingOf } from './http-hosting.js';
import { nodesOfInterest } from './nodes-of-interest.js';
import { classifyReceiver } from './receivers.js';
import type { ServerGroup } from './server-group.js';
import { serverlessEvidence } from './serverless.js';
import { SERVER_TRANSPORT } from './subject.js';
import { accessedMember, peel } from './syntax.js';

/** One piece of evidence. */
export interface SeveralProcesses {
  readonly node: ts.Node;
  /**
   * `fork`: the code starts them. `relay`: messages of sessions go from node to node through a broker. `serverless`: a
   * platform starts them.
   */
  readonly kind: 'fork' | 'relay' | 'serverless';
  /** The broker's call, or what says so, as written. */
  readonly through: string;
}

const known = new WeakMap<ServerGroup, readonly SeveralProcesses[]>();

/** The evidence in the package of a server that is reached over HTTP; nothing for any other. */
export function severalProcesses(world: ClosedWorld, group: ServerGroup): readonly SeveralProcesses[] {
  const before = known.get(group);
  if (before !== undefined) return before;
  // A transport of the code's own is what relays are made of.
  const isOverHttp = group.entries.some(
    ({ kind, transport }) => kind === 'http' || kind === 'unknown' || transport === 'http',
  );
  const packages = new Set(group.entries.map(({ call }) => world.packageOf(call)));
  const files = world.sourceFiles.filter((file) => isOverHttp && packages.has(world.packageOf(file)));
  const found = files.flatMap((file): SeveralProcesses[] => {
    const calls = nodesOfInterest(file).operations.filter((node) => ts.isCallExpression(node));
    const fork = calls.find((call) => isFork(world, call));
    const relay = holdsTransport(world, file) ? calls.find((call) => isBroker(world, call)) : undefined;
    return [
      ...(fork === undefined
        ? []
        : [{ node: fork, kind: 'fork', through: fork.expression.getText() } as const]),
      ...(relay === undefined
        ? []
        : [{ node: relay, kind: 'relay', through: relay.expression.getText() } as const]),
    ];
  });
  const all = [...found, ...serverlessOf(world, group)];
  known.set(group, all);
  return all;
}

/** In the files that serve it: the package may hold other functions. */
function serverlessOf(world: ClosedWorld, group: ServerGroup): SeveralProcesses[] {
  const served = group.entries.filter(({ kind, transport }) => kind === 'http' || transport === 'http');
  const routes = hostingOf(world, group).flatMap((hosting) => hosting.routes.map(({ route }) => route.node));
  const files = new Set([...served.map(({ call }) => call), ...routes].map((node) => node.getSourceFile()));
  return [...files].flatMap((file): SeveralProcesses[] => {
    const node = serverlessEvidence(file, world);
    return node === undefined ? [] : [{ node, kind: 'serverless', through: file.fileName }];
  });
}

/** `cluster.fork()` */
function isFork(world: ClosedWorld, call: ts.CallExpression): boolean {
  const accessed = accessedMember(peel(call.expression));
  if (accessed?.member !== 'fork') return false;
  const holder = peel(accessed.access.expression);
  return ts.isIdentifier(holder) && /^(?:node:)?cluster$/.test(moduleOf(world, holder) ?? '');
}

const BROKER = /redis|valkey|nats|kafka|amqp|rabbit|pubsub|broker/i;

/** The first call in a file that passes a message through a broker. */
export function brokerCallIn(world: ClosedWorld, file: ts.SourceFile): ts.CallExpression | undefined {
  return nodesOfInterest(file)
    .operations.filter((node) => ts.isCallExpression(node))
    .find((call) => isBroker(world, call));
}

/** `redis.publish(…)`, `redisClient.createSubscription(…)`: by the module it comes from, or by its name. */
function isBroker(world: ClosedWorld, call: ts.CallExpression): boolean {
  const accessed = accessedMember(peel(call.expression));
  if (accessed === undefined || !/^p?(?:publish|subscribe|createSubscription)$/i.test(accessed.member))
    return false;
  const { expression } = accessed.access;
  return BROKER.test(expression.getText()) || comesFromBroker(world, expression, DEPTH);
}

/** Names that stand for names; more in a row are not worth a guess. */
const DEPTH = 3;

/** `redis` itself, or `const publisher = await createClient().connect()` of its module. */
function comesFromBroker(world: ClosedWorld, expression: ts.Expression, depth: number): boolean {
  let root = peel(expression);
  while (
    ts.isPropertyAccessExpression(root) ||
    ts.isAwaitExpression(root) ||
    ts.isCallExpression(root) ||
    ts.isNewExpression(root)
  )
    root = peel(root.expression);
  if (!ts.isIdentifier(root)) return false;
  if (BROKER.test(moduleOf(world, root) ?? '')) return true;
  const declaration = world.checker.getSymbolAtLocation(root)?.valueDeclaration;
  return (
    depth > 0 &&
    declaration !== undefined &&
    ts.isVariableDeclaration(declaration) &&
    declaration.initializer !== undefined &&
    comesFromBroker(world, declaration.initializer, depth - 1)
  );
}

/** Whether a file reads or feeds a server's transport by hand. */
function holdsTransport(world: ClosedWorld, file: ts.SourceFile): boolean {
  return nodesOfInterest(file).operations.some((node) => {
    const accessed = accessedMember(node);
    return (
      accessed !== undefined &&
      ['onmessage', 'send', 'handleRequest'].includes(accessed.member) &&
      classifyReceiver(world, accessed.access.expression, SERVER_TRANSPORT) === 'instance'
    );
  });
}
