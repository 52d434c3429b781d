/** Where a file shuts its server down: on a signal, next to the closing of the HTTP server, in `close()` of its class. */
import { isCall, enclosingFunctions, keyName, memberCall, type Node, type SourceCode } from '../ast.js';
import { find, nodesOf } from './nodes.js';
import { serverClosings } from './http-servers.js';
import { functionOf } from './origins.js';
import { stringOf } from './values.js';

const SIGNALS: ReadonlySet<string | undefined> = new Set(['SIGTERM', 'SIGINT']);
const ENDS_OWNER: ReadonlySet<string | undefined> = new Set(['close', 'stop', 'shutdown']);

/** The function around a node that shuts the server down, the outermost where there are several. */
export function shutdownAround(sourceCode: SourceCode, node: Node): Node | undefined {
  const closings = serverClosings(sourceCode);
  const onSignal = signalHandlers(sourceCode);
  return enclosingFunctions(node)
    .reverse()
    .find(
      (around) =>
        onSignal.has(around) ||
        endsOwner(around) ||
        closings.some((call) => enclosingFunctions(call)[0] === around),
    );
}

/** The functions that run on a signal: the handlers, and what they call themselves. */
function signalHandlers(sourceCode: SourceCode): ReadonlySet<Node> {
  const handlers = nodesOf(sourceCode)
    .of('CallExpression')
    .flatMap((call) => {
      const called = memberCall(call);
      const [signal, handler] = call.arguments;
      const isSignal =
        called?.receiver.type === 'Identifier' &&
        called.receiver.name === 'process' &&
        ['on', 'once'].includes(called.name) &&
        SIGNALS.has(stringOf(sourceCode, signal));
      return isSignal && handler !== undefined ? (functionOf(sourceCode, handler) ?? []) : [];
    });
  const called = handlers.flatMap((handler) =>
    find(sourceCode, handler, isCall).flatMap(({ callee }) => functionOf(sourceCode, callee) ?? []),
  );
  return new Set<Node>([...handlers, ...called]);
}

/** `close()` of a class. */
function endsOwner({ parent }: Node): boolean {
  return parent?.type === 'MethodDefinition' && ENDS_OWNER.has(keyName(parent));
}
