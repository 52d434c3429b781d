/** What a server's own code lets through on the way out: comparisons and switches on the method of a notification (G11). */
import { FILTER_FIELDS } from '../../src/protocol/index.js';
import { mentionsOf, type Mention } from './change-mentions.js';
import { lastName } from './declared-names.js';
import { isTelemetry } from './dispatches.js';
import { legacyLeg } from './legacy-leg.js';
import { codeOf, importsSdkClient, isMcpNear, isTest, withoutComments } from './server-evidence.js';
import { saying, withOthers, type ServerFinding } from './server-finding.js';
import { modernReason, outboundText } from './server-recipe.js';
import type { Surroundings } from './surroundings.js';
import type { Node } from './tree.js';
import type { WireModule } from './wire-module.js';

/** What a registry of subscribers is called. */
export const REGISTRY = /subscri|listener|watch|registr|interest/i;

/** Comparisons and switches by which a server decides who gets a change. */
export function findOutboundFilters(module: WireModule, surroundings: Surroundings): ServerFinding[] {
  if (isTest(module) || !isMcpNear(module) || importsSdkClient(module)) return [];
  const homes = new Map<Node, Mention[]>();
  for (const mention of mentionsOf(module)) {
    const home = mention.about === 'change' ? decisionOf(module, mention) : undefined;
    if (home !== undefined) homes.set(home, [...(homes.get(home) ?? []), mention]);
  }
  return [...homes].flatMap(([home, mentions]) => filterAt(module, home, mentions, surroundings));
}

function filterAt(
  module: WireModule,
  home: Node,
  mentions: readonly Mention[],
  surroundings: Surroundings,
): ServerFinding[] {
  const [first] = mentions;
  if (first === undefined) return [];
  const text = withoutComments(module.textOf(home));
  const isModern = FIELDS.test(text);
  // A client has registries as well: of what it wants to hear.
  if (!isModern && !(REGISTRY.test(text) && ASKED.test(text) && sendsChanges(module))) return [];
  const leg = legacyLeg(module, surroundings);
  const methods = mentions.map(({ method }) => method);
  const said = withOthers(module, mentions, first);
  return [
    {
      shape: 'G11',
      node: first.role.node,
      anchor: home,
      confidence: 'likely',
      outcome: (target) => {
        if (isModern)
          return saying({ kind: 'kept', reason: modernReason('asks the filter of a listen stream') }, said);
        if (leg !== undefined) return saying({ kind: 'kept', reason: leg }, said);
        return saying({ kind: 'marked', text: outboundText(methods, target) }, said);
      },
    },
  ];
}

const FIELDS = new RegExp(FILTER_FIELDS.map(({ field }) => field).join('|'));

const ASKED = /\.(?:has|includes|some|find|get\w*)\(/;

/** Whether a module writes to clients, and does not read what a server writes. */
function sendsChanges(module: WireModule): boolean {
  const text = codeOf(module);
  return (
    /broadcast|\bstdout\b|\.enqueue\(|\bnew Response\(|\b(?:res|response|reply)(?:\.raw)?\.write\(|\bfan_?out/i.test(
      text,
    ) && !/\bfetch\(|\bspawn\(|\bEventSource\b|\.stdin\.write\(/.test(text)
  );
}

/** The switch, or the statement with the comparison. */
function decisionOf(module: WireModule, { role }: Mention): Node | undefined {
  if (role.kind === 'case') return isTelemetry(module, role.choice) ? undefined : role.choice;
  if (role.kind !== 'comparison' || lastName(role.subject) !== 'method') return undefined;
  return module
    .ancestorsOf(role.node)
    .find(({ type }) =>
      /^(?:If|Return|Expression)Statement$|^VariableDeclaration$|^ArrowFunctionExpression$/.test(type),
    );
}
