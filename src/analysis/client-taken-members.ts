/** What it means for a client that a member is taken out of it by a pattern, or by a key that is computed. */
import { ts } from 'ts-morph';
import { CLIENT_MEMBER, LEGACY_ONLY_CALLS } from '../protocol/index.js';
import { SUBSCRIPTION_ACTIONS } from './client-subscriptions.js';
import type { ClosedWorld } from './closed-world.js';
import { eraAt } from './era-checks.js';
import type { MemberUse, TakenMember } from './flow.js';
import { textsOf } from './method-names.js';
import { actionOf, readTakenSender, subscription, type Uses } from './raw-requests.js';
import { shortText } from './short-text.js';

/** Members of which a use tells something that is lost when their calls are not seen. */
const TELLING: ReadonlySet<string> = new Set([
  CLIENT_MEMBER.connect,
  CLIENT_MEMBER.listen,
  CLIENT_MEMBER.request,
  CLIENT_MEMBER.notification,
  CLIENT_MEMBER.setNotificationHandler,
  CLIENT_MEMBER.setVersionNegotiation,
]);

/**
 * Reads the member; a key that can only be one name is given back as an access of that name.
 */
export function readTaken(world: ClosedWorld, { node, key }: TakenMember, uses: Uses): MemberUse[] {
  const client = ts.isElementAccessExpression(node) ? node.expression : undefined;
  const era = eraAt(node, client, world);
  const names = typeof key === 'string' ? [key] : textsOf(key, world);
  if (names === undefined) {
    uses.unreadable.push({ node, label: shortText(node), kind: 'name', era });
    return [];
  }
  const [name, ...others] = names;
  const isSole = ts.isElementAccessExpression(node) && others.length === 0 && name !== undefined;
  if (isSole && SUBSCRIPTION_ACTIONS[name] === undefined) return [{ access: node, member: name }];
  const action = actionOf(names, SUBSCRIPTION_ACTIONS);
  if (action !== undefined) {
    const form = ts.isElementAccessExpression(node) ? 'computed' : 'reference';
    uses.subscriptions.push(subscription(action, form, node, client, era));
  }
  for (const member of names) {
    const row = LEGACY_ONLY_CALLS.find(
      (candidate) => candidate.role === 'blocker' && candidate.member === member,
    );
    if (row !== undefined) {
      uses.legacyUses.push({ node, label: `${member}()`, row, era });
    } else if (client === undefined && SENDERS.has(member)) {
      readTakenSender(world, node, uses);
    } else if (TELLING.has(member)) {
      uses.unreadable.push({ node, label: shortText(node), kind: 'taken', era });
    }
  }
  return [];
}

const SENDERS: ReadonlySet<string> = new Set([CLIENT_MEMBER.request, CLIENT_MEMBER.notification]);
