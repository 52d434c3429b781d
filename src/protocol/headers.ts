// The HTTP headers and media types of both eras. Header names are compared without case.
import type { Era } from './revisions.js';
import type { Source } from './source.js';

export const HEADER = {
  protocolVersion: 'MCP-Protocol-Version',
  method: 'Mcp-Method',
  name: 'Mcp-Name',
  sessionId: 'Mcp-Session-Id',
  lastEventId: 'Last-Event-ID',
  accept: 'Accept',
} as const;

/** What people call a constant that holds the header of the session, in upper case. */
export const SESSION_CONSTANT = 'SESSION_ID_HEADER';

export type Header = (typeof HEADER)[keyof typeof HEADER];

export const MEDIA_TYPE = {
  json: 'application/json',
  eventStream: 'text/event-stream',
} as const;

/** What `Accept` must list on every POST (H2). */
export const ACCEPT_BOTH = 'application/json, text/event-stream';

export interface HeaderRow {
  readonly name: Header;
  readonly eras: readonly Era[];
  readonly source: Source;
}

const BOTH = ['legacy', 'modern'] as const satisfies readonly Era[];
const PAGE = 'basic/transports/streamable-http.mdx';

export const HEADERS: readonly HeaderRow[] = [
  { name: HEADER.protocolVersion, eras: BOTH, source: { page: PAGE, section: 'H3', level: 'MUST' } },
  { name: HEADER.method, eras: ['modern'], source: { page: PAGE, section: 'H4', level: 'REQUIRED' } },
  { name: HEADER.name, eras: ['modern'], source: { page: PAGE, section: 'H4', level: 'REQUIRED' } },
  { name: HEADER.sessionId, eras: ['legacy'], source: { page: PAGE, section: 'H8', level: 'SHOULD' } },
  { name: HEADER.lastEventId, eras: ['legacy'], source: { page: PAGE, section: 'F1', level: 'definition' } },
  { name: HEADER.accept, eras: BOTH, source: { page: PAGE, section: 'H2', level: 'MUST' } },
];
