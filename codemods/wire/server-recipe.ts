/** What a server written by hand has to do for 2026-07-28, in the words of markers and reports. */
import type { Target } from '../../src/codegen/negotiation.js';
import {
  FILTER_FIELDS,
  FILTER_PARAM,
  META,
  METHOD,
  MODERN_REVISION,
  NOTIFICATION,
} from '../../src/protocol/index.js';
import type { Reach } from './server-evidence.js';

const LISTEN = METHOD.subscriptionsListen;
const STAMP = `params._meta['${META.subscriptionId}']`;

/** How a listen is answered, from its first message to its last. */
export function recipe(reach: Reach, target: Target): string {
  const ends = {
    http: 'comments as keep-alive, a disconnect taken for a cancel',
    stdio: `${NOTIFICATION.cancelled} with that id taken for its end`,
    both: `over HTTP comments as keep-alive and a disconnect taken for a cancel, on stdio ${NOTIFICATION.cancelled} with that id`,
  } as const satisfies Record<Reach, string>;
  const verbs = target === 'modern' && reach !== 'stdio' ? '; GET and DELETE answer 405' : '';
  return (
    `first ${NOTIFICATION.acknowledged} with what of params.${FILTER_PARAM} is advertised and this caller may read, ` +
    `then only what that filter asks for, every message with the request's id in ${STAMP}, ` +
    `${ends[reach]}, and on shutdown an empty result with resultType 'complete'${verbs}`
  );
}

/** For every further place of a module: how a listen is answered stands above. */
export function briefText(target: Target): string {
  return target === 'dual'
    ? `no ${MODERN_REVISION} client sends this: ${LISTEN} belongs beside it, as said above`
    : `no ${MODERN_REVISION} client sends this: ${LISTEN} takes its place, as said above`;
}

/** For the place that chooses what a method does. */
export function dispatchText(reach: Reach, target: Target): string {
  return target === 'dual'
    ? `no ${MODERN_REVISION} client sends this: keep it for those of 2025 and answer ${LISTEN} beside it by a stream: ${recipe(reach, target)}`
    : `no ${MODERN_REVISION} client sends this: answer ${LISTEN} in its place by a stream: ${recipe(reach, target)}`;
}

/** For a branch that accepts a subscription and never sends anything. */
export function emptyDispatchText(reach: Reach, target: Target): string {
  return target === 'dual'
    ? `this accepts a subscription that nothing here serves: for ${MODERN_REVISION} advertise no resources.subscribe, or answer ${LISTEN} by a stream: ${recipe(reach, target)}`
    : `this accepts a subscription that nothing here serves, and no ${MODERN_REVISION} client sends it: drop it and advertise no resources.subscribe, or answer ${LISTEN} by a stream: ${recipe(reach, target)}`;
}

/** For the one place that spells a method for others. */
export function constantText(reach: Reach, target: Target): string {
  const where = target === 'dual' ? 'beside it' : 'in its place';
  return `no ${MODERN_REVISION} client sends this: add ${LISTEN} ${where}, and answer it wherever this one is handled, by a stream: ${recipe(reach, target)}`;
}

/** For the definition of a message. */
export function definitionText(reach: Reach, target: Target): string {
  const what = target === 'dual' ? 'beside it' : 'in its place';
  return `no ${MODERN_REVISION} client sends this: define ${LISTEN} ${what}, with params.${FILTER_PARAM} and params._meta, and ${NOTIFICATION.acknowledged}; whoever serves it answers by a stream: ${recipe(reach, target)}`;
}

/** The fields of the filter that ask for notifications. */
function fieldsOf(methods: readonly string[]): string {
  return FILTER_FIELDS.filter(({ notification }) => methods.includes(notification))
    .map(({ field }) => field)
    .join(', ');
}

/** For what sends a change to clients of 2025. */
export function emitterText(methods: readonly string[], target: Target): string {
  const how = target === 'dual' ? 'beside this, write it' : 'write it';
  return `a ${MODERN_REVISION} client gets this on its listen stream alone: ${how} to every stream whose stored filter asks for it (${fieldsOf(methods)}), with the id of that stream's request in ${STAMP}`;
}

/** The same where a registry of 2025 stands before it. */
export function gatedEmitterText(methods: readonly string[], target: Target): string {
  return `${emitterText(methods, target)}, and not behind this registry, which no ${MODERN_REVISION} client fills`;
}

/** For a filter on what goes out. */
export function outboundText(methods: readonly string[], target: Target): string {
  const what = target === 'dual' ? 'it holds for clients of 2025 alone' : 'nothing fills it any more';
  return `this asks a registry that ${METHOD.resourcesSubscribe} fills, so ${what}: for a ${MODERN_REVISION} client ask the stored filter of each listen stream (${fieldsOf(methods)}), and stamp what goes out with its request's id in ${STAMP}`;
}

/** For a table that decides who may do what, or how often. */
export function securityTableText(row: string): string {
  return (
    `security-relevant: ${LISTEN} takes the place of ${METHOD.resourcesSubscribe} and falls to this table's default: ` +
    `add ${row}, and check every URI in params.${FILTER_PARAM}.resourceSubscriptions as ${METHOD.resourcesSubscribe} is checked`
  );
}

/** For every other table. */
export function tableText(row: string): string {
  return `add ${row} beside it, and one for ${NOTIFICATION.acknowledged} where notifications have rows; the old ones stay for clients of 2025`;
}

/** Said of what is written for 2026-07-28 already. */
export function modernReason(what: string): string {
  return `modern already: ${what}`;
}

/** Said of the leg of 2025 beside it. */
export function legacyLegReason(listen: string): string {
  return `the leg of 2025: ${LISTEN} is answered at ${listen}`;
}
