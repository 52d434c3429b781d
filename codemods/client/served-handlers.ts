/** Which handlers of a client need a stream, and for which kinds. */
import type { ClientGroup, HandlerSite } from '../../src/analysis/client-group.js';
import { FILTER_FIELDS, type FilterField, type ListKind } from '../../src/protocol/index.js';

/** The list kinds that this group's handlers wait for and that nothing listens to yet. */
export function kindsToListen(group: ClientGroup): ListKind[] {
  const wanted = new Set(handlersToServe(group).flatMap((handler) => listKindsOf(handler)));
  return FILTER_FIELDS.flatMap((row) =>
    isListKind(row.field) && wanted.has(row.field) ? [row.field] : [],
  ).filter((kind) => !coveredByOption(group, kind));
}

/** The handlers that fire on the modern era only once a stream is opened for them. */
export function handlersToServe(group: ClientGroup): HandlerSite[] {
  if (listensForLists(group)) return [];
  return group.handlers.filter(
    (handler) =>
      handler.kind !== 'removal' && listKindsOf(handler).some((kind) => !coveredByOption(group, kind)),
  );
}

/** Whether the code opens a stream for list changes already. */
export function listensForLists(group: ClientGroup): boolean {
  return group.listens.some((listen) => listen.asksForLists);
}

/** The filter's list kinds that a handler is about. */
export function listKindsOf(handler: HandlerSite): ListKind[] {
  return FILTER_FIELDS.flatMap((row) =>
    isListKind(row.field) && handler.notifications?.includes(row.notification) === true ? [row.field] : [],
  );
}

/** Whether the handler is about any change notification at all. */
export function handlesChanges(handler: HandlerSite): boolean {
  return FILTER_FIELDS.some((row) => handler.notifications?.includes(row.notification) === true);
}

function isListKind(field: FilterField): field is ListKind {
  return field !== 'resourceSubscriptions';
}

/** The client's own `listChanged` option opens a stream for the same kind; two would deliver twice (T44). */
function coveredByOption(group: ClientGroup, kind: ListKind): boolean {
  const option = FILTER_FIELDS.find((row) => row.field === kind)?.listChangedOption;
  return (
    option !== undefined &&
    group.creations.length > 0 &&
    group.creations.every((creation) => creation.listChangedOption.includes(option))
  );
}
