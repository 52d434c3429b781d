/** Handlers of change notifications gain the stream that makes them fire on a modern connection. */
import { ts } from 'ts-morph';
import type { ClientGroup, HandlerSite } from '../../src/analysis/client-group.js';
import type { Facts } from '../../src/analysis/facts.js';
import { runsWhenConstructed } from '../../src/analysis/registration-order.js';
import { enclosingFunction, isPlainPath, literalText } from '../../src/analysis/syntax.js';
import { endOfLineComment, indentAt } from '../../src/codegen/file-style.js';
import { streamListenStatement } from '../../src/codegen/listen.js';
import { CLIENT_MEMBER, FILTER_FIELDS, type ShapeId } from '../../src/protocol/index.js';
import type { Codemod, FileEdit, Outcome } from '../codemod.js';
import { clientSite, type ClientSite } from './client-site.js';
import { outcomeByGroup } from './group-outcome.js';
import { findListenPoints, lacksBraces, type ListenPoint } from './listen-points.js';
import {
  handlersToServe,
  handlesChanges,
  kindsToListen,
  listensForLists,
  listKindsOf,
} from './served-handlers.js';
import { streamName } from './stream-import.js';
import { wishesAt } from './wishes.js';
import { braced } from '../braced-body.js';

/** The codemod for handlers of change notifications. */
export const listChangedHandlers: Codemod<ClientGroup> = {
  name: 'client/list-changed-handlers',
  removes: 'list-changed',
  tokens: [CLIENT_MEMBER.setNotificationHandler, CLIENT_MEMBER.fallbackNotificationHandler],

  find(facts) {
    return facts.clients.flatMap((group) => [
      ...optionSites(group, facts),
      ...group.handlers
        .filter(
          (handler) =>
            handlesChanges(handler) || (handler.kind !== 'removal' && handler.notifications === undefined),
        )
        .map((handler) => clientSite(handler.node, shapeOfHandler(handler, group, facts), group, facts)),
    ]);
  },

  rewrite(site, facts, target) {
    if (site.shape === 'C7') return keepOption(site);
    const handler = site.group.handlers.find((candidate) => candidate.node === site.node);
    if (handler === undefined) throw new Error('a site of another codemod');
    if (listensForLists(site.group)) {
      return { kind: 'kept', reason: 'the same client opens a listen stream already' };
    }
    if (handler.notifications !== undefined && listKindsOf(handler).length === 0)
      return keepUpdateHandler(site.group);
    const byGroup = outcomeByGroup(site, facts, target);
    if (handler.kind === 'removal')
      return byGroup?.kind === 'marked' ? STAYS : (byGroup ?? withdraw(site, handler));
    return byGroup ?? rewriteHandler(site, handler, facts);
  },
};

/** The `listChanged` option, which opens a stream of its own (C7). */
function optionSites(group: ClientGroup, facts: Facts): ClientSite[] {
  return group.creations.flatMap(({ listChangedNode: node }) =>
    node === undefined ? [] : [clientSite(node, 'C7', group, facts)],
  );
}

function keepOption({ group }: ClientSite): Outcome {
  const reason = 'the SDK opens a stream for it where the era allows';
  if (group.watchesAutoOpened) return { kind: 'kept', reason };
  const { autoOpenedSubscription } = CLIENT_MEMBER;
  return {
    kind: 'reported',
    reason: `${reason}, and nothing here reads ${autoOpenedSubscription}, by which its end could be seen`,
  };
}

/** A handler of updates alone: the URIs that are subscribed to make it fire, in both eras. */
function keepUpdateHandler(group: ClientGroup): Outcome {
  return group.subscriptions.length > 0
    ? { kind: 'kept', reason: 'fires for the URIs that this client subscribes to' }
    : {
        kind: 'reported',
        reason: 'no URI is ever subscribed to here, so nothing fires it on a modern connection',
      };
}

function rewriteHandler(site: ClientSite, handler: HandlerSite, facts: Facts): Outcome {
  const { group } = site;
  const served = handlersToServe(group);
  if (!served.includes(handler))
    return { kind: 'kept', reason: 'the listChanged option of this client listens for it' };
  const found = findListenPoints(group, served, facts);
  if ('obstacle' in found) return { kind: 'marked', text: found.obstacle, anchor: found.at, blocks: true };
  const reason = `listens for ${listKindsOf(handler).join(', ')} once it is connected`;
  // One listen serves all handlers of a client: the first of them carries its edits.
  if (served[0] !== handler) return { kind: 'rewritten', edits: [], reason };
  return {
    kind: 'rewritten',
    edits: found.points.flatMap((point) => listenEdits(point, group, facts)),
    reason,
    streamFiles: found.points.map((point) => facts.unitOf(point.statement).file),
  };
}

function listenEdits(point: ListenPoint, group: ClientGroup, facts: Facts): FileEdit[] {
  const { statement } = point;
  const found = wishesAt(group, point, facts);
  if ('hidden' in found) throw new Error('the group should have been left as it is');
  const unit = facts.unitOf(statement);
  const { style } = unit;
  const receiver = unit.text.slice(point.receiver.getStart(), point.receiver.end);
  const listen = streamListenStatement(
    streamName(unit),
    receiver,
    found.wishes,
    style,
    isInAsyncFunction(statement) ? 'await' : 'void',
  );
  const start = statement.getStart();
  const indent = indentAt(unit.text, start);
  const reason = 'opens the stream that makes the handlers fire';
  const end = endOfLineComment(unit.text, statement.end);
  return lacksBraces(statement)
    ? braced(statement, { behind: [listen] }, unit).map((edit) => ({ ...edit, file: unit.file, reason }))
    : [{ file: unit.file, start: end, end, text: `${style.eol}${indent}${listen}`, reason }];
}

const STAYS: Outcome = { kind: 'kept', reason: 'its client is not migrated' };

/** Where a handler is taken away, its kind is not wanted any more (C6). */
function withdraw(site: ClientSite, handler: HandlerSite): Outcome {
  const served = new Set(kindsToListen(site.group));
  const wishes = listKindsOf(handler)
    .filter((kind) => served.has(kind))
    .map((kind) => ({ kind, when: 'false' }));
  const statement = handler.node.parent;
  if (wishes.length === 0) return { kind: 'kept', reason: 'nothing here listens for it' };
  if (!ts.isExpressionStatement(statement) || lacksBraces(statement) || !isPlainPath(handler.receiver)) {
    return {
      kind: 'reported',
      reason: 'the kind goes on being listened for: withdraw it here with listen({ … false })',
    };
  }
  const { unit } = site;
  const receiver = unit.text.slice(handler.receiver.getStart(), handler.receiver.end);
  const isAsync = isInAsyncFunction(statement);
  const listen = streamListenStatement(
    streamName(unit),
    receiver,
    wishes,
    unit.style,
    isAsync ? 'await' : 'void',
  );
  const end = endOfLineComment(unit.text, statement.end);
  const indent = indentAt(unit.text, statement.getStart());
  const reason = 'withdraws the wish together with its handler';
  return {
    kind: 'rewritten',
    reason,
    edits: [{ file: unit.file, start: end, end, text: `${unit.style.eol}${indent}${listen}`, reason }],
    streamFiles: [unit.file],
  };
}

function isInAsyncFunction(node: ts.Node): boolean {
  const owner = enclosingFunction(node);
  if (owner === undefined) return true; // the top of a module
  return (ts.getCombinedModifierFlags(owner) & ts.ModifierFlags.Async) !== 0;
}

function shapeOfHandler(handler: HandlerSite, group: ClientGroup, facts: Facts): ShapeId {
  if (handler.kind === 'fallback') return 'C3';
  if (handler.notifications === undefined) return 'C5';
  if (handler.kind === 'removal') return 'C6';
  if (handler.notifications.length > 1) return 'C2';
  const updates = FILTER_FIELDS.find((row) => row.field === 'resourceSubscriptions')?.notification;
  if (handler.notifications.every((name) => name === updates) && group.subscriptions.length === 0)
    return 'C9';
  if (runsWhenConstructed(facts.world, handler.node)) return 'C10';
  const argument = ts.isCallExpression(handler.node) ? handler.node.arguments[0] : undefined;
  return literalText(argument) === undefined ? 'C1' : 'C4';
}
