/** The calls of `client.listen()` in a file: filter, options, and what becomes of the subscription. */
import { CLIENT_MEMBER } from '../../../src/protocol/index.js';
import type { Node, SourceCode, TSESTree } from '../ast.js';
import { isChangeStream } from './change-streams.js';
import { clientCalls, type ClientCall, type SdkClient } from './clients.js';
import { usesOf, type Uses } from './uses.js';
import { objectOf } from './values.js';

/** A call of `client.listen()`. */
export interface Listen extends ClientCall {
  /** The first argument, as written. */
  readonly filter: Node | undefined;
  /** The object literal that the filter certainly is. */
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
      filterObject: objectOf(sourceCode, filter),
      options,
      subscription: usesOf(sourceCode, called.call),
    };
  }
}

/** Whether something is read from a subscription: `honoredFilter`, `closed`, or called: `close`. */
export function reads({ subscription }: Listen, member: string): boolean {
  return subscription.members.some(({ name }) => name === member);
}

/**
 * Whether the whole life of a client is in sight: made in this file, and handed to nobody but the managed stream. Only
 * then does the absence of something mean that it is missing.
 */
export function isWholeInSight(sourceCode: SourceCode, client: SdkClient): boolean {
  return (
    client.creation !== undefined &&
    usesOf(sourceCode, client.creation, (call) => isChangeStream(sourceCode, call)).escapes.length === 0
  );
}
