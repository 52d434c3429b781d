/** What markers tell a person to write: the listen request in words. */
import { filterText, type ListenText } from '../../src/codegen/raw-listen.js';
import {
  ACCEPT_BOTH,
  FILTER_PARAM,
  HEADER,
  METHOD,
  MODERN_REVISION,
  NOTIFICATION,
} from '../../src/protocol/index.js';

/** The request over HTTP. */
export function postRecipe(listen: ListenText): string {
  return `POST ${METHOD.subscriptionsListen} with Accept '${ACCEPT_BOTH}', ${HEADER.protocolVersion} ${MODERN_REVISION}, ${HEADER.method} ${METHOD.subscriptionsListen}, a new id and params { ${FILTER_PARAM}: ${filterText(listen)}, _meta }, read the changes off its response, and take the stream for open when ${NOTIFICATION.acknowledged} has come`;
}

/** The request on a pipe. */
export function pipeRecipe(uris: string): string {
  return `write ${METHOD.subscriptionsListen} with a new id and params { ${FILTER_PARAM}: { resourceSubscriptions: ${uris} }, _meta }, wait for ${NOTIFICATION.acknowledged}, and end it by ${NOTIFICATION.cancelled} with that id`;
}
