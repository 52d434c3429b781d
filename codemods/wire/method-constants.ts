/** Constants that hold a method's name for others to use (R4): reported once, where they are defined. */
import { HEADER, METHOD, NOTIFICATION } from '../../src/protocol/index.js';
import { mentionsOf, type Mention } from './change-mentions.js';
import { usesOf } from './constant-uses.js';
import { declaredName } from './declared-names.js';

import { legacyLeg } from './legacy-leg.js';
import { importsSdkClient, isMcpNear, isRawClient, isTest, reachOf } from './server-evidence.js';
import { briefly, linesText, saying, withOthers, type ServerFinding } from './server-finding.js';
import type { Surroundings } from './surroundings.js';
import { constantText, modernReason } from './server-recipe.js';
import { child, list, stringOf, type Node } from './tree.js';
import type { WireModule } from './wire-module.js';

const KNOWN = new Set<string>([...Object.values(METHOD), ...Object.values(NOTIFICATION)]);

/** The constants of a module, one report for each declaration that holds some. */
export function findMethodConstants(module: WireModule, surroundings: Surroundings): ServerFinding[] {
  if (isTest(module) || !isMcpNear(module)) return [];
  const byHome = new Map<Node, Mention[]>();
  for (const mention of mentionsOf(module)) {
    if (mention.role.kind !== 'constant' || !isConstant(module, mention.role.node)) continue;
    const home = homeOf(module, mention.role.node);
    byHome.set(home, [...(byHome.get(home) ?? []), mention]);
  }
  const groups = [...byHome.values()];
  const isModern = (mentions: readonly Mention[]): boolean =>
    mentions.some(({ about }) => about === 'listen' || about === 'acknowledged');
  const isOld = (mentions: readonly Mention[]): boolean =>
    !isModern(mentions) && mentions.some(({ about }) => about !== 'change');
  const shared = groups.filter((mentions) => !isModern(mentions) && !isOld(mentions)).flat();
  return [
    ...groups
      .filter((mentions) => isModern(mentions) && !isRawClient(module))
      .map((mentions) => modernConstants(module, mentions)),
    ...groups
      .filter(isOld)
      .map((mentions) => oldConstants(module, mentions, groups.find(isModern), surroundings)),
    ...sharedConstants(module, shared),
  ];
}

function modernConstants(module: WireModule, mentions: readonly Mention[]): ServerFinding {
  const first =
    mentions.find(({ about }) => about === 'listen') ??
    mentions.find(({ about }) => about === 'acknowledged');
  return constants(module, mentions, first, () => ({
    kind: 'kept',
    reason: modernReason(`names what ${METHOD.subscriptionsListen} takes`),
  }));
}

function oldConstants(
  module: WireModule,
  mentions: readonly Mention[],
  modern: readonly Mention[] | undefined,
  surroundings: Surroundings,
): ServerFinding {
  const first =
    mentions.find(({ about }) => about === 'subscribe') ??
    mentions.find(({ about }) => about === 'unsubscribe');
  const leg = legacyLeg(module, surroundings);
  const reach = reachOf(module);
  return constants(module, mentions, first, (target) => {
    if (leg !== undefined) return { kind: 'kept', reason: leg };
    if (modern !== undefined)
      return {
        kind: 'kept',
        reason: `the name of 2025, with that of ${METHOD.subscriptionsListen} beside it`,
      };
    return { kind: 'marked', text: constantText(reach, target) };
  });
}

/** The name of a notification is the same in both eras: it tells nothing in code about a client, and little elsewhere. */
function sharedConstants(module: WireModule, mentions: readonly Mention[]): ServerFinding[] {
  if (mentions.length === 0 || importsSdkClient(module) || isRawClient(module)) return [];
  return [
    constants(module, mentions, mentions[0], () => ({
      kind: 'reported',
      reason: 'the name is the same in both eras, what changes is where it is sent',
    })),
  ];
}

function constants(
  module: WireModule,
  mentions: readonly Mention[],
  first: Mention | undefined,
  decide: ServerFinding['outcome'],
): ServerFinding {
  const shown = first ?? mentions[0];
  if (shown === undefined) throw new Error('a declaration without constants');
  const said = aside(module, mentions, shown);
  return {
    shape: 'R4',
    node: shown.role.node,
    confidence: 'certain',
    outcome: (target) => saying(decide(target), said),
    brief: (target) => saying(briefly(decide(target), target), said),
  };
}

/** The other constants of the declaration, and where any of them is used. */
function aside(module: WireModule, mentions: readonly Mention[], first: Mention): string {
  const uses = mentions.flatMap(({ role }) => usesOf(module, role.node));
  return `${withOthers(module, mentions, first)}${uses.length === 0 ? '' : `; used in this file in ${linesText(uses)}`}`;
}

/** Whether it stands for the method, rather than being a value of something else, such as an entry of a menu. */
function isConstant(module: WireModule, node: Node): boolean {
  const name = node.type === 'AssignmentExpression' ? 'METHOD' : (declaredName(node) ?? '');
  if (
    /^(?:value|label|name|title|id|path|route|href|url|text|description|message|event|kind|type|key|default)$/i.test(
      name,
    )
  )
    return false;
  // A header of one request.
  if (name.toLowerCase() === HEADER.method.toLowerCase()) return false;
  if (/method|notif|subscri|updated|changed|listen|ack/i.test(name)) return true;
  const siblings = list(module.parentOf(node), node.type === 'TSEnumMember' ? 'members' : 'properties');
  return siblings.some(
    (one) => one !== node && KNOWN.has(stringOf(child(one, 'value') ?? child(one, 'initializer')) ?? ''),
  );
}

/** The declaration that a constant is part of. */
function homeOf(module: WireModule, node: Node): Node {
  const around = [node, ...module.ancestorsOf(node)];
  return (
    around.find(({ type }) =>
      /^(?:VariableDeclaration|TSEnumDeclaration|Class(?:Declaration|Expression)|ExpressionStatement)$/.test(
        type,
      ),
    ) ?? node
  );
}
