/** All routes of the candidate files. */
import { ts } from 'ts-morph';
import { routesOfCall } from './called-routes.js';
import type { ClosedWorld } from './closed-world.js';
import {
  decoratedRoutes,
  exportedRoutes,
  listenerRoutes,
  mayListen,
  workerRoutes,
} from './exported-routes.js';
import type { Route } from './http-route.js';
import { nodesOfInterest } from './nodes-of-interest.js';

const known = new WeakMap<ClosedWorld, readonly Route[]>();

/** The routes of a program, file by file in the order of the text. */
export function routesOf(world: ClosedWorld): readonly Route[] {
  const answer = known.get(world) ?? world.sourceFiles.flatMap((file) => routesOfFile(file, world));
  known.set(world, answer);
  return answer;
}

function routesOfFile(file: ts.SourceFile, world: ClosedWorld): Route[] {
  const listens = mayListen(file);
  const called = nodesOfInterest(file).operations.flatMap((node) =>
    ts.isCallExpression(node)
      ? [...routesOfCall(node, world), ...(listens ? listenerRoutes(node, world) : [])]
      : [],
  );
  return [...called, ...exportedRoutes(file), ...decoratedRoutes(file, world), ...workerRoutes(file)].sort(
    (one, other) => one.node.getStart() - other.node.getStart(),
  );
}
