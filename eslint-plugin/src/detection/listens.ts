/** The calls of `client.listen()` in a file: filter, options, and what becomes of the subscription. */
import { CLIENT_MEMBER } from '../../../src/protocol/index.js';
import type { Node, SourceCode, TSESTree } from '../ast.js';
import { clientCalls, type ClientCall } from './clients.js';
import { eraAt } from './era.js';
import { usesOf, type Uses } from './uses.js';
import { plainObject } from './wire-values.js';

/** A call of `client.listen()`. */
export interface Listen extends ClientCall {
  /** The first argument, as written. */
  readonly filter: Node | undefined;
  /** The object literal that the filter certainly is, and stays. */
  readonly filterObject: TSESTree.ObjectExpression | undefined;
  /** The second argument, as written. */
  readonly options: Node | undefined;
  /** What is done with the subscription: members read, names that hold it, whether it goes out of sight. */
  readonly subscription: Uses;
}

const known = new WeakMap<SourceCode, readonly Listen[]>();

/** All calls of `listen()` on the SDK's clients, in the order of the text. */
export function listensOf(sourceCode: SourceCode): readonly Listen[] {
  const listens = known.get(sourceCode) ?? clientCalls(sourceCode, CLIENT_MEMBER.listen).map(describe);
  known.set(sourceCode, listens);
  return listens;

  function describe(called: ClientCall): Listen {
    const [filter, options] = called.call.arguments;
    return {
      ...called,
      filter,
      filterObject: plainObject(sourceCode, filter),
      options,
      subscription: usesOf(sourceCode, called.call),
    };
  }
}

/** Whether something is read from a subscription: `honoredFilter`, `closed`, or called: `close`. */
export function reads({ subscription }: Listen, member: string): boolean {
  return subscription.members.some(({ name }) => name === member);
}

/** Words of which a file that listens through the SDK's client has one. */
export const LISTEN_TOKENS: readonly string[] = [CLIENT_MEMBER.listen];

/** Whether a listen can be answered at all: on a client that never opts in it always rejects, and another rule says so. */
export function canBeAnswered(sourceCode: SourceCode, { client, call }: Listen): boolean {
  return client.era !== 'legacy' && eraAt(sourceCode, call) !== 'legacy';
}
