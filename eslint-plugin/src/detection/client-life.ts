/** The whole life of a client in one file: only where all of it is in sight does an absence mean something. */
import { CLIENT_MEMBER, LEGACY_ONLY_CALLS } from '../../../src/protocol/index.js';
import { parentOf, type SourceCode } from '../ast.js';
import { isChangeStream } from './change-streams.js';
import type { SdkClient } from './clients.js';
import { usesOf, type Uses } from './uses.js';

/** What is done with a client that is made in this file and handed to nobody but the managed stream; else undefined. */
export function lifeOf(sourceCode: SourceCode, client: SdkClient): Uses | undefined {
  if (client.creation === undefined) return undefined;
  const uses = usesOf(sourceCode, client.creation, (call) => isChangeStream(sourceCode, call));
  return uses.escapes.length === 0 && uses.members.every(isInSight) ? uses : undefined;
}

const WITH_CALL: readonly string[] = [
  CLIENT_MEMBER.listen,
  CLIENT_MEMBER.setNotificationHandler,
  CLIENT_MEMBER.connect,
];

/** `client.setNotificationHandler.bind(client)` and `client._notificationHandlers` hide what is done. */
function isInSight({ name, node }: Uses['members'][number]): boolean {
  if (name.startsWith('_')) return false;
  const parent = parentOf(node);
  return !WITH_CALL.includes(name) || (parent?.type === 'CallExpression' && parent.callee === node);
}

/** Whether a client still subscribes to resources as in 2025, or may: by any request of its own making. */
export function mayStillSubscribe({ members }: Uses): boolean {
  return members.some(
    ({ name }) =>
      name === CLIENT_MEMBER.request ||
      LEGACY_ONLY_CALLS.some(({ role, member }) => role === 'subscription' && member === name),
  );
}
