/** Decides what becomes of the HTTP hosting of a server: one decision for all its routes. */
import type { ts } from 'ts-morph';
import { headersNotAllowed } from '../../src/analysis/cors-lists.js';
import type { Facts } from '../../src/analysis/facts.js';
import { hostingOf, type Hosting } from '../../src/analysis/http-hosting.js';
import { namedHolder } from '../../src/analysis/references.js';
import type { ServerEntry, ServerGroup } from '../../src/analysis/server-group.js';
import { isFunction } from '../../src/analysis/syntax.js';
import type { Target } from '../../src/codegen/negotiation.js';
import { SERVER_OPTION } from '../../src/protocol/index.js';
import type { CreatedFile, FileEdit } from '../codemod.js';
import type { Obstacle } from '../obstacle.js';
import { factoryAt } from './factory-expression.js';
import { validationOf, type Validation } from './host-validation.js';
import { planInside } from './http-inside.js';
import { newHandlerPlace, type NewHandlerPlace } from './http-place.js';
import { planRoutes } from './http-routes-plan.js';
import { shutdownEdits } from './http-shutdown.js';
import { transportObstacle } from './http-transports.js';
import type { ImportNeed } from './imports.js';
import { newBus } from './notifier.js';

/** What is done. */
export interface HttpPlan {
  readonly hosting: Hosting;
  /** By route: the first one's edits make the handler. */
  readonly edits: ReadonlyMap<ts.Node, readonly FileEdit[]>;
  readonly imports: readonly ImportNeed[];
  readonly files: readonly CreatedFile[];
  /** What is to be known about it, for the report. */
  readonly remarks: readonly string[];
}

/** What a plan is made from. */
export interface HttpInput {
  readonly group: ServerGroup;
  readonly facts: Facts;
  readonly target: Target;
  readonly place: NewHandlerPlace;
  /** The factory's expression. */
  readonly factory: string;
  readonly bus: string | undefined;
  readonly validation: Validation;
}

/** The edits of a plan before those that only go along. */
export type Planned = Pick<HttpPlan, 'edits' | 'imports'>;

const known = new WeakMap<ServerGroup, Map<Target, HttpPlan | Obstacle>>();

/** The plan for a server that is hosted by hand, or what stands in its way. */
export function httpPlanOf(group: ServerGroup, facts: Facts, target: Target): HttpPlan | Obstacle {
  const answers = known.get(group) ?? new Map<Target, HttpPlan | Obstacle>();
  known.set(group, answers);
  const answer = answers.get(target) ?? decide(group, facts, target);
  answers.set(target, answer);
  return answer;
}

function decide(group: ServerGroup, facts: Facts, target: Target): HttpPlan | Obstacle {
  const hostings = hostingOf(facts.world, group);
  const [hosting, other] = hostings;
  const [entry] = httpEntries(group);
  if (entry === undefined) throw new Error('a server without an HTTP entry');
  if (hosting === undefined)
    return { text: 'which requests reach its transport is out of sight', at: entry.call };
  if (other !== undefined) {
    const at = other.routes[0]?.route.node ?? other.handled[0] ?? entry.call;
    return { text: 'it is hosted at several places: put one modern handler in front of each', at };
  }
  const inTheWay = styleObstacle(hosting) ?? transportObstacle(group, hosting, facts, target);
  if (inTheWay !== undefined) return inTheWay;
  const place = newHandlerPlace(group, facts);
  if (place === undefined)
    return {
      text: 'its routes are registered in different places: put one modern handler in front of them',
      at: firstNode(hosting),
    };
  const validation = validationOf(hosting.transports, facts);
  if ('text' in validation) return validation;
  const factory = factoryOf(group, facts, target, place.place.statement);
  if ('at' in factory) return factory;
  const bus = newBus(group, place.place, facts);
  const input = { group, facts, target, place, factory: factory.text, bus: bus?.name, validation };
  const isInside = ['next', 'fetch', 'node'].includes(hosting.style);
  const planned = isInside ? planInside(input) : planRoutes(input);
  if ('text' in planned) return planned;
  const [first = firstNode(hosting)] = planned.edits.keys();
  const edits = new Map(planned.edits);
  const shutdown = shutdownEdits(input);
  edits.set(first, [...(edits.get(first) ?? []), ...factory.edits, ...shutdown]);
  return {
    hosting,
    edits,
    imports: [...planned.imports, ...factory.imports, ...(bus?.imports ?? [])],
    files: bus?.files ?? [],
    remarks: [
      ...remarksOn(hosting, target),
      ...(shutdown.length > 0 ? [`what shuts it down closes ${place.place.name} first`] : []),
    ],
  };
}

function httpEntries(group: ServerGroup): ServerEntry[] {
  return group.entries.filter(({ kind, transport }) => kind === 'hand-wired' && transport === 'http');
}

function firstNode({ routes, handled }: Hosting): ts.Node {
  const node = routes[0]?.route.node ?? handled[0];
  if (node === undefined) throw new Error('hosting without a place');
  return node;
}

/** Ways of hosting for which only a person can write the front. */
function styleObstacle(hosting: Hosting): Obstacle | undefined {
  const at = firstNode(hosting);
  switch (hosting.style) {
    case 'unknown':
      return { text: 'what hands requests to its transport is out of sight', at };
    case 'nest':
      return {
        text: 'its routes are decorators: in a middleware before the controller, hand every request for which isLegacyRequest() is false to createMcpHandler()',
        at,
      };
    case 'koa':
      return {
        text: 'Koa answers by its context: in front of the route, hand every request for which isLegacyRequest() is false to toNodeHandler() with ctx.respond = false',
        at,
      };
    default:
      return undefined;
  }
}

/** All entries over HTTP are given the same factory. */
function factoryOf(
  group: ServerGroup,
  facts: Facts,
  target: Target,
  place: ts.Statement,
): { text: string; edits: readonly FileEdit[]; imports: readonly ImportNeed[] } | Obstacle {
  const answers = httpEntries(group).map((entry) => factoryAt(entry, group, facts, target, place));
  const [first] = answers;
  if (first === undefined) throw new Error('a server without an HTTP entry');
  const obstacle = answers.find((one): one is Obstacle => 'at' in one);
  if (obstacle !== undefined) return obstacle;
  const other = answers.findIndex((one) => 'edits' in one && 'edits' in first && one.text !== first.text);
  const at = httpEntries(group)[other]?.call;
  if (at !== undefined) return { text: 'its sessions are made in different ways', at };
  return 'edits' in first ? { ...first, text: withoutArrow(first.text, group) } : first;
}

/** `createServer` for `() => createServer()`: where the function has no parameter, so that the context cannot get into one. */
function withoutArrow(text: string, { cells }: ServerGroup): string {
  const name = /^\(\) => ([\w$]+)\(\)$/.exec(text)?.[1];
  const makers = cells.filter(
    (cell) =>
      isFunction(cell) && (namedHolder(cell) as ts.NamedDeclaration | undefined)?.name?.getText() === name,
  ) as ts.SignatureDeclaration[];
  const takesNothing = makers.length > 0 && makers.every(({ parameters }) => parameters.length === 0);
  return name !== undefined && takesNothing ? name : text;
}

function remarksOn(hosting: Hosting, target: Target): string[] {
  const answersJson = hosting.transports.some((one) =>
    one.arguments?.[0]?.getText().includes(SERVER_OPTION.enableJsonResponse),
  );
  const isServedAnew = hosting.stateless || target === 'modern';
  const files = new Set(
    [...hosting.routes.map(({ route }) => route.node), ...hosting.handled].map((node) =>
      node.getSourceFile(),
    ),
  );
  const lacking = [...new Set([...files].flatMap(headersNotAllowed))];
  return [
    ...(answersJson && isServedAnew
      ? ['enableJsonResponse goes: answers may come as an event stream, which clients must accept']
      : []),
    ...(lacking.length > 0
      ? [`its CORS list lacks ${lacking.join(', ')}, without which browsers stay in the legacy era`]
      : []),
  ];
}
