/** Gates on a registry that only subscribe handlers fill: no modern client ever opens them (T16). */
import { ts } from 'ts-morph';
import type { RegistryGate } from '../../src/analysis/registry-gates.js';
import type { Facts } from '../../src/analysis/facts.js';
import { comesFromLoop, type Loop } from '../../src/analysis/publisher-loops.js';
import { serverEraAt } from '../../src/analysis/server-era.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import type { Publisher } from '../../src/analysis/server-publisher.js';
import { contains, dressed } from '../../src/analysis/syntax.js';
import { legacyAnd, modernOr } from '../../src/codegen/era-guard.js';
import type { FileStyle } from '../../src/codegen/file-style.js';
import { METHOD, SERVER_MEMBER, type ShapeId } from '../../src/protocol/index.js';
import type { Codemod, FileEdit, Outcome, Target } from '../codemod.js';
import { caughtSend, isAwaitedByNobody, isLeftAlone } from './caught-send.js';
import { gatesOf, type GatedPublishers } from './gated-publishers.js';
import { outcomeByServer } from './group-outcome.js';
import { planOfPublisher } from './publisher-plan.js';
import { contextFor } from './request-context.js';
import { legsOf } from './served-legs.js';
import { serverSite, type ServerSite } from './server-site.js';
import { withoutGate } from './without-gate.js';

/** The codemod for gates (G7) and loops over subscribers (F3). */
export const subscriberGuards: Codemod<ServerGroup> = {
  name: 'server/subscriber-guards',
  removes: 'publish',
  tokens: [METHOD.resourcesSubscribe, SERVER_MEMBER.setRequestHandler],

  find(facts) {
    return facts.servers.flatMap((group) =>
      [...gatesOf(group, facts).values()].map(({ gate }) =>
        serverSite(gate.node, shapeOf(gate), group, facts),
      ),
    );
  },

  rewrite(site, facts, target) {
    const gated = gatesOf(site.group, facts).get(site.node);
    if (gated === undefined) throw new Error('a site of another codemod');
    const era = serverEraAt(facts.world, site.node);
    if (era === 'legacy')
      return { kind: 'kept', reason: 'runs on the legacy era only: the code around it has checked' };
    return outcomeByServer(site, facts, target) ?? rewriteGate(site, gated, facts, target);
  },
};

function shapeOf({ kind }: RegistryGate): ShapeId {
  return kind === 'loop' ? 'F3' : 'G7';
}

function rewriteGate(site: ServerSite, gated: GatedPublishers, facts: Facts, target: Target): Outcome {
  const legs = legsOf(site.group, facts, target);
  const { gate } = gated;
  const name = gate.condition.getText();
  if (gate.kind === 'loop' && takesUriFromLoop(gated, facts))
    return {
      kind: 'marked',
      text: `no modern client is in ${name}: publish every URI that has changed, whoever has subscribed to it`,
      blocks: true,
    };
  if (legs === 'beside') {
    return gated.publishers.some(({ node }) => isDecidedHere(gate, node))
      ? { kind: 'kept', reason: 'sessions of 2025 keep their gate; modern clients are told beside it' }
      : decidedElsewhere(name);
  }
  if (legs === 'stdio' && target === 'dual') return openedByEra(site, gated, facts, target);
  if (legs !== 'stdio' && gated.publishers.every((one) => goesWith(one, gate, site, facts, target)))
    return {
      kind: 'rewritten',
      edits: [],
      reason: 'goes with the emit: what is published is for all listeners',
    };
  const removal = withoutGate(
    gate,
    site.unit,
    // On stdio the emits stay as they are; elsewhere others replace them.
    legs === 'stdio' ? [] : gated.publishers.map(({ node }) => node),
  );
  if ('obstacle' in removal)
    return {
      kind: 'marked',
      text: `no modern client opens the gate ${name}: publish in any case, which is not done here because ${removal.obstacle}`,
      blocks: true,
    };
  const caught = legs === 'stdio' ? catches(gated, site) : [];
  return {
    kind: 'rewritten',
    edits: [...removal.edits, ...caught],
    reason: 'the gate is gone: each listen stream is told of what it asked for, by the SDK',
  };
}

/** Whether what is published takes the place of the gate, too. */
function goesWith(
  publisher: Publisher,
  { node }: RegistryGate,
  { group }: ServerSite,
  facts: Facts,
  target: Target,
): boolean {
  const plan = planOfPublisher(publisher, group, facts, target);
  if (plan.kind === 'kept' || plan.kind === 'problem') return false;
  const { file } = facts.unitOf(node);
  return plan.edits.some(
    (edit) => edit.file === file && edit.start <= node.getStart() && node.end <= edit.end,
  );
}

function decidedElsewhere(name: string): Outcome {
  return {
    kind: 'marked',
    text: `${name} decides about an emit in another function: publish for modern clients in front of it`,
    blocks: true,
  };
}

/** A gate around the call of a function that emits decides about what is not here to be published beside. */
function isDecidedHere({ node, kind }: RegistryGate, emit: ts.Node): boolean {
  return kind === 'exit' ? contains(node.parent, emit) : contains(node, emit);
}

function takesUriFromLoop({ gate, publishers }: GatedPublishers, { world }: Facts): boolean {
  return publishers.some(
    ({ uri, uriHolder, node }) =>
      !contains(gate.node, node) ||
      [uri ?? uriHolder ?? node].some((one) => comesFromLoop(world, one, gate.node as Loop)),
  );
}

/** `ctx.era === 'modern' || subscribed.has(uri)` */
function openedByEra(site: ServerSite, gated: GatedPublishers, facts: Facts, target: Target): Outcome {
  const { gate } = gated;
  if (gate.kind === 'loop')
    return {
      kind: 'marked',
      text: `no modern client is in ${gate.condition.getText()}: publish once, whoever has subscribed`,
      blocks: true,
    };
  const context = contextFor(gate.node, site.group, facts, target);
  if (context === undefined)
    return {
      kind: 'marked',
      text: `no modern client opens ${gate.condition.getText()}: hand the era of the factory's context to it and publish on the modern era in any case`,
      blocks: true,
    };
  const reason = 'opened for modern clients, whose streams the SDK filters by itself';
  return {
    kind: 'rewritten',
    reason,
    imports: context.imports,
    edits: [...context.edits, ...opened(gate, context.era, site, reason), ...catches(gated, site)],
  };
}

function opened(
  { condition, opensWhen, node }: RegistryGate,
  era: string,
  { unit }: ServerSite,
  reason: string,
): FileEdit[] {
  const place = dressed(condition);
  const asked = unit.text.slice(place.getStart(unit.tree), place.end);
  const text = opensWhen ? modernOr(era, asked, unit.style) : legacyAnd(era, asked, unit.style);
  const { parent } = place;
  const isWhole =
    (ts.isIfStatement(node) && node.expression === place) ||
    (ts.isConditionalExpression(node) && node.condition === place) ||
    ts.isParenthesizedExpression(parent);
  return [
    {
      file: unit.file,
      start: place.getStart(unit.tree),
      end: place.end,
      text: isWhole ? text : `${wouldBeCalled(place, unit.style) ? ';' : ''}(${text})`,
      reason,
    },
  ];
}

/** A send that was never reached on a modern connection is now, also on an instance that is closed. */
function catches({ publishers }: GatedPublishers, { unit }: ServerSite): FileEdit[] {
  return publishers
    .filter(({ form }) => form === 'method' || form === 'notification')
    .filter(
      ({ isFloating, node }) =>
        isFloating || isAwaitedByNobody(node) || (isLeftAlone(node) && isPromise(node)),
    )
    .flatMap(({ node }) => (unit.tree === node.getSourceFile() ? [...caughtSend(node, unit)] : []));
}

/** What nobody waits for as the result of a timer's callback. */
function isPromise(node: ts.CallExpression): boolean {
  return ts.isArrowFunction(dressed(node).parent);
}

/** Without semicolons, a line that begins with a parenthesis calls what the line before it ends with. */
function wouldBeCalled(place: ts.Node, { semicolon }: FileStyle): boolean {
  if (semicolon !== '') return false;
  let statement: ts.Node = place;
  while (!ts.isStatement(statement)) statement = statement.parent;
  return ts.isExpressionStatement(statement) && statement.getStart() === place.getStart();
}
