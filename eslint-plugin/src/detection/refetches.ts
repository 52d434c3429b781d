/** Calls that fetch again what a notification would have told of, and calls that may do so out of sight. */
import { FILTER_FIELDS } from '../../../src/protocol/index.js';
import { calleeName, enclosingFunctions, type SourceCode, type TSESTree } from '../ast.js';
import { clientCalls, isSameClient, type ClientCall, type SdkClient } from './clients.js';
import { handlersOfClient } from './handlers.js';
import { nodesOf } from './nodes.js';

const REFETCHES: readonly string[] = FILTER_FIELDS.flatMap(({ refetchCalls }) => refetchCalls);

/** The calls of a client that fetch lists or resources, those in its handlers left out. */
export function refetchesOf(sourceCode: SourceCode, client: SdkClient): ClientCall[] {
  const handlers = handlersOfClient(sourceCode, client).flatMap(({ handler }) => handler ?? []);
  return clientCalls(sourceCode, ...REFETCHES).filter(
    (one) =>
      isSameClient(one.client, client) &&
      !enclosingFunctions(one.call).some((around) => handlers.includes(around)),
  );
}

/** Functions that certainly fetch nothing: they wait, tell, count, or end. */
const HARMLESS =
  /^(?:set|clear)(?:Timeout|Interval|Immediate)$|^(?:sleep|delay|wait|backoff|pause|resolve|reject|then|catch|finally|close|abort|listen|log|info|warn|error|debug|trace|now|min|max|pow|floor|ceil|round|random|includes|has|get|push|join|toString|String|Number|Boolean|Error|Promise|Date|AbortController)$/;

/** Whether a call may fetch: not certainly something else. */
export function mayRefetch(call: TSESTree.CallExpression): boolean {
  const name = calleeName(call.callee);
  return name === undefined || !HARMLESS.test(name);
}

/** The calls of a file that may fetch. */
export function possibleRefetches(sourceCode: SourceCode): TSESTree.CallExpression[] {
  return nodesOf(sourceCode).of('CallExpression').filter(mayRefetch);
}
