/** The text of calls that publish a change to listen streams. */
import { HANDLER_MEMBER, type PublisherRow } from '../protocol/index.js';

/**
 * `handler.notify.toolsChanged()`
 *
 * @param handler the handler's expression, as written
 * @param uri the URI's expression, as written: for updates of a resource
 */
export function notifyCall(handler: string, { notify }: Pick<PublisherRow, 'notify'>, uri = ''): string {
  return `${handler}.${HANDLER_MEMBER.notify}.${notify}(${uri})`;
}
