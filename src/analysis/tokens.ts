/** The words by which a file is chosen for parsing. */
import { CHANGE_STREAM_FILE } from '../codegen/change-stream.js';
import { MARKER_TAG } from '../codegen/marker.js';
import {
  CLIENT_MEMBER,
  FILTER_FIELDS,
  HEADER,
  LEGACY_ONLY_CALLS,
  LIST_CHANGED_TAIL,
  MEDIA_TYPE,
  METHOD,
  NOTIFICATION,
  PUBLISHERS,
  REQUEST_OPTION,
  SDK_SCOPE,
  SERVER_MEMBER,
  SERVER_REQUESTS,
  SERVER_TRANSPORT_MEMBER,
  SESSION_CONSTANT,
} from '../protocol/index.js';

/** Header names have no case, and the search in bytes has: the spellings that people use. */
function spellings(header: string): string[] {
  return [header, header.toLowerCase(), header.toUpperCase(), header.replace(/^Mcp/, 'MCP')];
}

/** A file with one of these speaks MCP, or was migrated by us. */
export const TELLING_TOKENS: readonly string[] = [
  SDK_SCOPE,
  CLIENT_MEMBER.subscribeResource,
  CLIENT_MEMBER.unsubscribeResource,
  METHOD.resourcesSubscribe,
  METHOD.resourcesUnsubscribe,
  METHOD.subscriptionsListen,
  NOTIFICATION.acknowledged,
  ...FILTER_FIELDS.map((row) => row.notification),
  // What raw clients and servers of the wire spell.
  ...spellings(HEADER.sessionId),
  CHANGE_STREAM_FILE,
  MARKER_TAG,
];

/**
 * A file with one of these alone matters only beside one that tells: it may be handed a client from there and make a
 * call that decides about it, or declare what its calls are given.
 */
export const SUPPORTING_TOKENS: readonly string[] = [
  CLIENT_MEMBER.setNotificationHandler,
  CLIENT_MEMBER.fallbackNotificationHandler,
  CLIENT_MEMBER.getProtocolEra,
  REQUEST_OPTION.resumptionToken,
  REQUEST_OPTION.onresumptiontoken,
  ...LEGACY_ONLY_CALLS.filter((call) => call.role === 'blocker').map((call) =>
    call.member === CLIENT_MEMBER.ping ? `.${call.member}(` : call.member,
  ),
  // JavaScript is handed a server without a word of the SDK.
  SERVER_MEMBER.setRequestHandler,
  SERVER_MEMBER.registerTool,
  SERVER_MEMBER.registerPrompt,
  SERVER_MEMBER.registerResource,
  SERVER_MEMBER.registerCapabilities,
  ...PUBLISHERS.map((row) => row.member),
  ...SERVER_REQUESTS.filter((row) => row.member !== 'ping').map((row) => row.member),
  SERVER_TRANSPORT_MEMBER.handleRequest,
  `${CLIENT_MEMBER.transport}?.sessionId`,
  `${CLIENT_MEMBER.transport}.sessionId`,
  `${CLIENT_MEMBER.transport}!.sessionId`,
  MEDIA_TYPE.eventStream,
  SESSION_CONSTANT,
  LIST_CHANGED_TAIL,
  ...spellings(HEADER.lastEventId),
];
