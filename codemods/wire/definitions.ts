/** Definitions of the protocol's messages: schemas, RPC declarations, literal types (R6). Reported once for a module. */
import { METHOD } from '../../src/protocol/index.js';
import { mentionsOf, type ChangeMethod, type Mention } from './change-mentions.js';
import { legacyLeg } from './legacy-leg.js';
import { importsSdk, isMcpNear, isRawClient, isTest, reachOf, runsOnSdk } from './server-evidence.js';
import { briefly, lineOf, saying, withOthers, type ServerFinding } from './server-finding.js';
import { definitionText, modernReason } from './server-recipe.js';
import type { Surroundings } from './surroundings.js';
import type { WireModule } from './wire-module.js';

/** The definitions of a module: one report for those of 2025, one for those of 2026-07-28. */
export function findDefinitions(module: WireModule, surroundings: Surroundings): ServerFinding[] {
  if (isTest(module) || !isMcpNear(module) || runsOnSdk(module)) return [];
  const mentions = mentionsOf(module).filter(({ role }) => role.kind === 'schema' || role.kind === 'type');
  const of = (...about: readonly ChangeMethod[]): Mention[] =>
    mentions.filter((mention) => about.includes(mention.about));
  const modern = of('listen', 'acknowledged');
  const old = of('subscribe', 'unsubscribe');
  const changes = of('change');
  return [
    ...definition(module, modern, modern, () => ({
      kind: 'kept',
      reason: modernReason(`defines ${METHOD.subscriptionsListen}`),
    })),
    ...definition(module, old, [...old, ...changes], oldDefinition(module, modern, surroundings)),
    // Without requests beside them, and in code of the SDK, the notifications are whatever a client receives.
    ...definition(
      module,
      mentions.length > changes.length || importsSdk(module) || isRawClient(module) ? [] : changes,
      changes,
      () => ({
        kind: 'reported',
        reason: 'the notification is the same in both eras, but for the id of its stream in _meta',
      }),
    ),
  ];
}

function oldDefinition(
  module: WireModule,
  [modern]: readonly Mention[],
  surroundings: Surroundings,
): ServerFinding['outcome'] {
  const leg =
    modern === undefined
      ? legacyLeg(module, surroundings)
      : `the definition for 2025, with that of ${METHOD.subscriptionsListen} in line ${String(lineOf(module, modern.literal.start))}`;
  const reach = reachOf(module);
  return (target) =>
    leg === undefined
      ? { kind: 'marked', text: definitionText(reach, target) }
      : { kind: 'kept', reason: leg };
}

function definition(
  module: WireModule,
  mentions: readonly Mention[],
  all: readonly Mention[],
  decide: ServerFinding['outcome'],
): ServerFinding[] {
  const first = mentions.find(({ about }) => about === 'subscribe' || about === 'listen') ?? mentions[0];
  if (first === undefined) return [];
  const said = withOthers(module, all, first);
  return [
    {
      shape: 'R6',
      node: first.role.node,
      confidence: 'certain',
      outcome: (target) => saying(decide(target), said),
      brief: (target) => saying(briefly(decide(target), target), said),
    },
  ];
}
