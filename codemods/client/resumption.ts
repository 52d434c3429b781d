/** Resumption tokens of requests: they work on a 2025 connection alone, and on a modern one keep the request from being sent. */
import { ts } from 'ts-morph';
import type { ClientGroup, ResumptionSite } from '../../src/analysis/client-group.js';
import type { CopiedOptionType } from '../../src/analysis/copied-option-types.js';
import type { Facts } from '../../src/analysis/facts.js';
import { quoted } from '../../src/codegen/file-style.js';
import { CLIENT_MEMBER, MODERN_REVISION, REQUEST_OPTION } from '../../src/protocol/index.js';
import type { Codemod, FileEdit, Outcome } from '../codemod.js';
import { clientSite, loneGroup, type ClientSite } from './client-site.js';
import { outcomeByGroup } from './group-outcome.js';
import { handlersToServe } from './served-handlers.js';
import { callsToRewrite } from './subscribe-calls.js';

/** The codemod for `resumptionToken` and `onresumptiontoken` (E1), and for types that copy them (E3). */
export const resumption: Codemod<ClientGroup> = {
  name: 'client/resumption',
  removes: 'resumption',
  tokens: [REQUEST_OPTION.resumptionToken, REQUEST_OPTION.onresumptiontoken],

  find(facts) {
    return [
      ...facts.clients.flatMap((group) =>
        [...new Set(group.resumptions.map(nodeOf))].map((node) => clientSite(node, 'E1', group, facts)),
      ),
      ...facts.copiedOptionTypes.map((type) => typeSite(type, facts)),
    ];
  },

  rewrite(site, facts, target) {
    if (site.shape === 'E3') return COPIED;
    const tokens = site.group.resumptions.find((candidate) => nodeOf(candidate) === site.node);
    if (tokens === undefined) throw new Error('a site of another codemod');
    if (tokens.era === 'legacy')
      return { kind: 'kept', reason: 'runs on the legacy era only: the code around it has checked' };
    if (!mayBeModern(site.group))
      return { kind: 'kept', reason: 'its client stays on the 2025 era, where tokens work' };
    const byGroup = outcomeByGroup(site, facts, target);
    if (byGroup !== undefined) return byGroup;
    return target === 'dual' ? onLegacyAlone(site, tokens) : removed(site, tokens);
  },
};

/** A type is nobody's client; what is given by it decides, and may come from anywhere. */
function typeSite({ node, name, isGiven }: CopiedOptionType, facts: Facts): ClientSite {
  const group = loneGroup({ file: facts.unitOf(node).file, name });
  return { ...clientSite(node, 'E3', group, facts), confidence: isGiven ? 'certain' : 'likely' };
}

const COPIED: Outcome = {
  kind: 'reported',
  reason: `copies the SDK's request options: a ${MODERN_REVISION} connection has no resumption, and over HTTP a request with a token is never sent on one`,
};

/** The options of the call; where they come from elsewhere, the token in them. */
function nodeOf({ isInline, properties: [first] }: ResumptionSite): ts.Node {
  return isInline ? first.parent : first;
}

/** Whether the client can reach the modern era, by itself or because this run opts it in. */
function mayBeModern(group: ClientGroup): boolean {
  const opted = [...group.creations, ...group.negotiations].some(
    ({ era }) => era === 'auto' || era === 'pin',
  );
  return opted || callsToRewrite(group).length > 0 || handlersToServe(group).length > 0;
}

/** `...(client.getProtocolEra() === 'legacy' && { resumptionToken })`, once per run of neighbours. */
function onLegacyAlone(site: ClientSite, tokens: ResumptionSite): Outcome {
  const { file, style } = site.unit;
  const reason = 'passed on the legacy era only';
  const isLegacy = `${tokens.receiver.getText()}.${CLIENT_MEMBER.getProtocolEra}() === ${quoted('legacy', style)}`;
  const edits = runsOf(tokens).flatMap(({ first, last }): FileEdit[] => [
    { file, start: first.getStart(), end: first.getStart(), text: `...(${isLegacy} && { `, reason },
    { file, start: last.end, end: last.end, text: ' })', reason },
  ]);
  return { kind: 'rewritten', reason, edits };
}

interface Run {
  readonly first: ts.ObjectLiteralElementLike;
  readonly last: ts.ObjectLiteralElementLike;
}

/** The tokens that stand side by side. */
function runsOf(tokens: ResumptionSite): Run[] {
  const runs: Run[] = [];
  for (const property of tokens.properties) {
    const { properties } = property.parent as ts.ObjectLiteralExpression;
    const previous = runs.at(-1);
    const isNext =
      previous !== undefined && properties.indexOf(property) === properties.indexOf(previous.last) + 1;
    if (isNext) runs[runs.length - 1] = { first: previous.first, last: property };
    else runs.push({ first: property, last: property });
  }
  return runs;
}

/** What becomes of a saved token, and when the request is sent again, only a person can say. */
function removed(site: ClientSite, tokens: ResumptionSite): Outcome {
  const { file } = site.unit;
  const reason = 'there is no resumption on a modern connection';
  return {
    kind: 'rewritten',
    reason,
    marker: 'there is no resumption any more: after a loss send the request again under a new id',
    edits: runsOf(tokens).map(({ first, last }) => ({ file, ...rangeOf(first, last), text: '', reason })),
  };
}

/** The properties with the comma and the white space that are theirs; the whole argument where nothing else is in it. */
function rangeOf(
  first: ts.ObjectLiteralElementLike,
  last: ts.ObjectLiteralElementLike,
): { start: number; end: number } {
  const options = first.parent as ts.ObjectLiteralExpression;
  const before = options.properties[options.properties.indexOf(first) - 1];
  const after = options.properties[options.properties.indexOf(last) + 1];
  if (before !== undefined) return { start: before.end, end: last.end };
  if (after !== undefined) return { start: first.getStart(), end: after.getStart() };
  const call = options.parent;
  const previous = ts.isCallExpression(call)
    ? call.arguments[call.arguments.indexOf(options) - 1]
    : undefined;
  return previous === undefined
    ? { start: first.getStart(), end: last.end }
    : { start: previous.end, end: options.end };
}
