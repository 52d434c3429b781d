/** The servers that an entry serves, by where they are made. */
import { contains, enclosingFunctions, type FunctionNode, type SourceCode, type TSESTree } from '../ast.js';
import { nodesOf } from './nodes.js';
import { functionOf } from './origins.js';
import { serverOf, servingsOf, type SdkServer, type Serving } from './servers.js';

/** A server with its making. */
export type MadeServer = SdkServer & { readonly creation: TSESTree.NewExpression };

/** The servers that a file makes. */
export function madeServers(sourceCode: SourceCode): MadeServer[] {
  return nodesOf(sourceCode)
    .of('NewExpression')
    .flatMap((node) => {
      const server = serverOf(sourceCode, node);
      return server?.creation === undefined ? [] : [{ ...server, creation: server.creation }];
    });
}

/** The servers that a factory makes, also by functions that it calls. */
export function serversOf(sourceCode: SourceCode, { factory }: Serving): MadeServer[] {
  if (factory === undefined) return [];
  const reached = reachedFrom(sourceCode, factory);
  return madeServers(sourceCode).filter(({ creation }) =>
    enclosingFunctions(creation).some((one) => reached.has(one)),
  );
}

/** The serving whose handler a call made. */
export function servingOf(sourceCode: SourceCode, call: unknown): Serving | undefined {
  return servingsOf(sourceCode).find((one) => one.call === call);
}

function reachedFrom(sourceCode: SourceCode, factory: FunctionNode): ReadonlySet<FunctionNode> {
  const reached = new Set<FunctionNode>();
  const queue = [factory];
  for (let one = queue.pop(); one !== undefined; one = queue.pop()) {
    if (reached.has(one)) continue;
    reached.add(one);
    for (const call of nodesOf(sourceCode).of('CallExpression')) {
      if (!contains(one, call)) continue;
      const called = functionOf(sourceCode, call.callee);
      if (called !== undefined) queue.push(called);
    }
  }
  return reached;
}
