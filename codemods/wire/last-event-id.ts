/**
 * `Last-Event-ID` headers that a module sends, and resumption tokens handed to `transport.send`: 2026 replays nothing.
 *
 * A transform module of jscodeshift: `npx jscodeshift -t …/last-event-id.js --target=modern src`.
 */
import type { Edit } from '../../src/codegen/edit.js';
import type { Target } from '../../src/codegen/negotiation.js';
import { HEADER, MODERN_REVISION, REQUEST_OPTION, SDK_SCOPE } from '../../src/protocol/index.js';
import { bookkeepingEdits } from './bookkeeping.js';
import { eraReaching } from './era.js';
import { isMcpPlace } from './evidence.js';
import { outcomeOf as outcomeOfStream } from './get-stream.js';
import { getStreamsOf } from './get-streams.js';
import { findServerHeaders } from './server-half.js';
import { propertyRemovals, statementRemoval } from './text-edits.js';
import {
  calleeName,
  child,
  contains,
  isCall,
  isFunction,
  isMember,
  isProperty,
  isSpread,
  list,
  memberName,
  nameOf,
  receiverOf,
  stringOf,
  type Node,
} from './tree.js';
import { keyOf, objectOf, textOf } from './values.js';
import { callsOf, type WireModule } from './wire-module.js';
import { sparingTests } from './test-code.js';
import type { WireCore, WireOutcome, WireSite } from './wire-site.js';
import { PARSER, wireTransform } from './wire-transform.js';

const TOKENS: readonly string[] = [REQUEST_OPTION.resumptionToken, REQUEST_OPTION.onresumptiontoken];

/** The codemod for Last-Event-ID (a header that a client sends) and E2. */
export const lastEventId: WireCore = {
  name: 'wire/last-event-id',
  removes: 'resumption',
  tokens: [HEADER.lastEventId, HEADER.sessionId, 'lastEventId', 'last_event_id', ...TOKENS],

  findIn(module, surroundings) {
    const streams = getStreamsOf(module);
    const owned = streams.flatMap((stream): WireSite[] => {
      const { replay } = stream;
      if (replay === undefined) return [];
      return [
        {
          start: replay.node.start,
          end: replay.node.end,
          shape: 'REPLAY',
          confidence: 'certain',
          group: stream.group,
          outcome: (target) => withStream(outcomeOfStream(module, stream, target)),
        },
      ];
    });
    const isOwned = (node: Node): boolean =>
      streams.some(({ replay }) => replay !== undefined && contains(replay.node, node));
    const loose = sentHeaders(module)
      .filter(({ node }) => !isOwned(node))
      .map(({ node, kind }): WireSite => ({
        start: node.start,
        end: node.end,
        shape: 'REPLAY',
        confidence: 'certain',
        outcome: (target) => outcomeOfHeader(module, node, kind, target),
      }));
    const served = findServerHeaders(module, surroundings);
    const asked = sparingTests(module, [...owned, ...loose, ...tokenSites(module)]);
    return [...asked, ...served].sort((a, b) => a.start - b.start);
  },
};

export const parser = PARSER;

export default wireTransform(lastEventId);

/** The header of a stream goes, or stays, with the stream. */
function withStream(whole: WireOutcome): WireOutcome {
  if (whole.kind === 'rewritten')
    return { kind: 'rewritten', reason: 'a listen has no event ids: goes with the GET', edits: [] };
  return whole.kind === 'marked' ? { kind: 'reported', reason: 'stays as long as its GET does' } : whole;
}

function outcomeOfHeader(
  module: WireModule,
  node: Node,
  kind: SentHeader['kind'],
  target: Target,
): WireOutcome {
  const era = eraReaching(module, node);
  if (era === 'legacy')
    return { kind: 'kept', reason: 'runs on the legacy era only: the code around it has checked' };
  if (target === 'dual' && era === undefined)
    return { kind: 'kept', reason: `2025 servers replay by it, and those of ${MODERN_REVISION} ignore it` };
  const edits = headerEdits(module, node, kind);
  return edits === undefined
    ? {
        kind: 'marked',
        text: `no server of ${MODERN_REVISION} replays anything: drop ${HEADER.lastEventId}, and after a loss listen again and refetch`,
        blocks: false,
      }
    : { kind: 'rewritten', reason: 'nothing is replayed', edits };
}

function headerEdits(module: WireModule, node: Node, kind: SentHeader['kind']): Edit[] | undefined {
  const reason = 'nothing is replayed';
  if (kind === 'statement') {
    const edit = statementRemoval(module, node, reason);
    return edit === undefined ? undefined : [edit, ...bookkeepingEdits(module, [node])];
  }
  const literal = module.parentOf(node);
  if (literal === undefined) return undefined;
  return [...propertyRemovals(module, literal, new Set([node]), reason), ...bookkeepingEdits(module, [node])];
}

interface SentHeader {
  /** The property, the spread that holds nothing else, or the statement. */
  readonly node: Node;
  readonly kind: 'property' | 'statement';
}

/** Where a module sends the header: reading it off a request is what a server does. */
function sentHeaders(module: WireModule): SentHeader[] {
  const properties = module.of('ObjectExpression').flatMap((literal) =>
    list(literal, 'properties').flatMap((property): SentHeader[] => {
      if (!isProperty(property) || !isReplay(keyOf(module, property))) return [];
      const owner = headerLiteralOf(module, literal);
      if (owner === undefined || !isMcpPlace(module, property)) return [];
      const isAlone = owner !== literal && list(literal, 'properties').length === 1;
      const spread = isAlone ? spreadAround(module, literal) : undefined;
      return [{ node: spread ?? property, kind: 'property' }];
    }),
  );
  const assigned = module.of('AssignmentExpression').flatMap((assignment) => {
    const left = child(assignment, 'left');
    const isSet = isMember(left) && isReplay(memberName(left) ?? textOf(module, child(left, 'property')));
    return isSet && isHeadersName(child(left, 'object')) ? statementOf(module, assignment) : [];
  });
  const called = callsOf(module).flatMap((call) => {
    const isSet = calleeName(call) === 'set' && isReplay(textOf(module, list(call, 'arguments')[0]));
    return isSet && isHeadersName(receiverOf(call)) ? statementOf(module, call) : [];
  });
  return [...properties, ...assigned, ...called];
}

function isReplay(name: string | undefined): boolean {
  return name?.toLowerCase() === HEADER.lastEventId.toLowerCase();
}

function statementOf(module: WireModule, expression: Node): SentHeader[] {
  const statement = module.parentOf(expression);
  return statement?.type === 'ExpressionStatement' && isMcpPlace(module, statement)
    ? [{ node: statement, kind: 'statement' }]
    : [];
}

function isHeadersName(node: Node | undefined): boolean {
  return /headers?$/i.test((isMember(node) ? memberName(node) : nameOf(node)) ?? '');
}

/** The literal of headers that a literal is, or is spread into. */
function headerLiteralOf(module: WireModule, literal: Node): Node | undefined {
  const spread = spreadAround(module, literal);
  const outer = spread === undefined ? undefined : module.parentOf(spread);
  const whole = outer?.type === 'ObjectExpression' ? outer : literal;
  const parent = module.parentOf(whole);
  if (parent === undefined) return undefined;
  if (isProperty(parent)) return isHeadersName(child(parent, 'key')) ? whole : undefined;
  if (parent.type === 'VariableDeclarator') return isHeadersName(child(parent, 'id')) ? whole : undefined;
  if (parent.type === 'NewExpression')
    return nameOf(child(parent, 'callee')) === 'Headers' ? whole : undefined;
  const maker = module.ancestorsOf(whole).find(isFunction);
  const isReturned = parent.type === 'ReturnStatement' || parent === maker;
  const name =
    child(maker, 'id') ??
    child(maker, 'key') ??
    child(maker === undefined ? undefined : module.parentOf(maker), 'id');
  return isReturned && isHeadersName(name) ? whole : undefined;
}

/** `...(last && { … })` around a literal. */
function spreadAround(module: WireModule, literal: Node): Node | undefined {
  for (const around of module.ancestorsOf(literal)) {
    if (isSpread(around)) return around;
    if (!['LogicalExpression', 'ConditionalExpression', 'ParenthesizedExpression'].includes(around.type))
      return undefined;
  }
  return undefined;
}

/** `transport.send(message, { resumptionToken, onresumptiontoken })` (E2). */
function tokenSites(module: WireModule): WireSite[] {
  return callsOf(module).flatMap((call): WireSite[] => {
    if (calleeName(call) !== 'send' || receiverOf(call) === undefined || !isCall(call)) return [];
    const [, argument] = list(call, 'arguments');
    const options = objectOf(module, argument);
    if (argument === undefined || options === undefined) return [];
    const tokens = list(options, 'properties').filter((property) =>
      TOKENS.includes(keyOf(module, property) ?? stringOf(property) ?? ''),
    );
    const isOurs = module.text.includes(SDK_SCOPE) || tokens.length > 1 || isMcpPlace(module, call);
    if (tokens.length === 0 || !isOurs) return [];
    return [
      {
        start: options.start,
        end: options.end,
        shape: 'E2',
        confidence: 'certain',
        outcome: (target) => outcomeOfTokens(module, { call, argument, options, tokens }, target),
      },
    ];
  });
}

interface Tokens {
  readonly call: Node;
  readonly argument: Node;
  readonly options: Node;
  readonly tokens: readonly Node[];
}

function outcomeOfTokens(
  module: WireModule,
  { call, argument, options, tokens }: Tokens,
  target: Target,
): WireOutcome {
  const era = eraReaching(module, call);
  if (era === 'legacy')
    return { kind: 'kept', reason: 'runs on the legacy era only: the code around it has checked' };
  if (target === 'dual' && era === undefined)
    return {
      kind: 'marked',
      text: `with a token this message is never sent on a ${MODERN_REVISION} connection: pass tokens on 2025 connections alone`,
      blocks: false,
    };
  const reason = 'there is no resumption on a modern connection';
  const isAll = tokens.length === list(options, 'properties').length;
  const [message] = list(call, 'arguments');
  const edits =
    isAll && argument === options && message !== undefined
      ? [{ start: message.end, end: argument.end, text: '', reason }]
      : propertyRemovals(module, options, new Set(tokens), reason);
  return {
    kind: 'rewritten',
    reason,
    marker: 'there is no resumption any more: after a loss send the message again under a new id',
    edits,
  };
}
