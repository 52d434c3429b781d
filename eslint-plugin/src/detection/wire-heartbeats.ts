/** Timers of a listen branch that write a notification each time, whatever happened. */
import { NOTIFICATION } from '../../../src/protocol/index.js';
import { isFunction, memberCall, type Node, type SourceCode, type TSESTree } from '../ast.js';
import { find } from './nodes.js';
import { functionOf } from './origins.js';
import { listenBranches } from './wire-branches.js';
import { isConditional } from './wire-registries.js';
import { isStringify, messagesIn, type WireMessage } from './wire.js';

/** A notification that a timer writes. */
export interface Heartbeat {
  readonly timer: TSESTree.CallExpression;
  readonly message: WireMessage;
}

/** The heartbeats of a file that are notifications. */
export function heartbeatsOf(sourceCode: SourceCode): Heartbeat[] {
  return listenBranches(sourceCode).flatMap(({ region }) =>
    region.flatMap((root) =>
      find(sourceCode, root, isInterval).flatMap((timer) => {
        const [callback] = timer.arguments;
        const declared = callback === undefined ? undefined : functionOf(sourceCode, callback);
        if (declared === undefined) return [];
        return find(sourceCode, declared.body, isCall)
          .filter((call) => !isStringify(call) && !isConditional(call, declared))
          .flatMap((call) => (isFunction(call.callee) ? [] : call.arguments))
          .flatMap((argument) => messagesIn(sourceCode, argument))
          .filter(
            ({ kind, method }) => kind === 'change' || (kind === 'notification' && !isOfRequest(method)),
          )
          .map((message) => ({ timer, message }));
      }),
    ),
  );
}

/** Those of the response stream of a request: no-progress-on-listen is about them. */
function isOfRequest(method: string | undefined): boolean {
  return method === NOTIFICATION.progress || method === NOTIFICATION.message;
}

function isCall(node: Node): node is TSESTree.CallExpression {
  return node.type === 'CallExpression' && memberCall(node)?.name !== 'push';
}

function isInterval(node: Node): node is TSESTree.CallExpression {
  return (
    node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'setInterval'
  );
}
