/** All that the wire codemods find in servers, by the codemod that it belongs to. */
import {
  CLIENT_MEMBER,
  FILTER_FIELDS,
  HEADER,
  LIST_CHANGED_TAIL,
  METHOD,
  NOTIFICATION,
  SESSION_CONSTANT,
} from '../../src/protocol/index.js';
import { findDefinitions } from './definitions.js';
import { findDispatches } from './dispatch.js';
import { findEmitters } from './emitters.js';
import { findHeaderConstants } from './header-constants.js';
import { findMethodConstants } from './method-constants.js';
import { findMethodTables } from './method-tables.js';
import { findOutboundFilters } from './outbound-filters.js';
import type { ServerFinding } from './server-finding.js';
import type { Surroundings } from './surroundings.js';
import { findTextInStrings } from './text-in-strings.js';
import { findVerbBranches } from './verb-branches.js';
import type { WireModule } from './wire-module.js';
import type { WireSite } from './wire-site.js';

/** What a module spells that may hold a message of a server. */
export const SERVER_MESSAGE_TOKENS: readonly string[] = [
  METHOD.resourcesSubscribe,
  METHOD.resourcesUnsubscribe,
  METHOD.subscriptionsListen,
  NOTIFICATION.acknowledged,
  ...FILTER_FIELDS.map(({ notification }) => notification),
  LIST_CHANGED_TAIL,
  CLIENT_MEMBER.subscribeResource,
  CLIENT_MEMBER.unsubscribeResource,
];

/** What a module spells that may serve a stream; a constant for the header may come from elsewhere. */
export const SERVER_STREAM_TOKENS: readonly string[] = [HEADER.sessionId, SESSION_CONSTANT];

type Finder = (module: WireModule, surroundings: Surroundings) => ServerFinding[];

function sites(
  ...finders: readonly Finder[]
): (module: WireModule, surroundings: Surroundings) => WireSite[] {
  return (module, surroundings) =>
    finders
      .flatMap((find) => find(module, surroundings))
      .sort((one, other) => one.node.start - other.node.start || one.node.end - other.node.end)
      .map((finding, index, all) => siteOf(finding, all.slice(0, index)));
}

/** A finding in the words of all wire codemods. What a server has to do by hand keeps nothing else from being done. */
function siteOf(finding: ServerFinding, before: readonly ServerFinding[]): WireSite {
  const { node, anchor, shape, confidence, brief } = finding;
  return {
    start: node.start,
    end: node.end,
    shape,
    confidence,
    ...(anchor === undefined ? {} : { anchor: { start: anchor.start, end: anchor.end } }),
    outcome: (target) => {
      const isExplained = before.some(
        (one) => one.brief !== undefined && one.outcome(target).kind === 'marked',
      );
      const decided = (isExplained ? (brief ?? finding.outcome) : finding.outcome)(target);
      return decided.kind === 'marked' ? { ...decided, blocks: false } : decided;
    },
  };
}

/** Messages: dispatches, constants, tables, definitions, emitters, filters on what goes out, and code inside strings. */
export const findServerMessages = sites(
  findDispatches,
  findMethodConstants,
  findMethodTables,
  findDefinitions,
  findEmitters,
  findOutboundFilters,
  findTextInStrings,
);

/** The GET stream and the end of its sessions. */
export const findServerStreams = sites(findVerbBranches);

/** Headers of sessions and replay. */
export const findServerHeaders = sites(findHeaderConstants);
