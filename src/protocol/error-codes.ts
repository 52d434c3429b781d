// The JSON-RPC error codes that decide what happens to a subscription.
import type { Source } from './source.js';

export const ERROR_CODE = {
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

export type ErrorCode = (typeof ERROR_CODE)[keyof typeof ERROR_CODE];

export interface ErrorCodeRow {
  readonly code: ErrorCode;
  readonly meaning: string;
  readonly source: Source;
}

export const ERROR_CODES: readonly ErrorCodeRow[] = [
  {
    code: ERROR_CODE.methodNotFound,
    meaning: 'the peer does not know the method; over HTTP with status 404',
    source: { page: 'basic/transports/streamable-http.mdx', section: 'H6', level: 'MUST' },
  },
  {
    code: ERROR_CODE.invalidParams,
    meaning: 'the filter or a required _meta key is missing or malformed',
    source: { page: 'basic/index.mdx', section: 'Per-request protocol fields', level: 'MUST' },
  },
  {
    code: ERROR_CODE.internal,
    meaning: 'with an SDK server: its limit of open subscriptions is reached',
    source: { page: '@modelcontextprotocol/server@2.4.0', section: 'T19', level: 'measured' },
  },
  {
    code: ERROR_CODE.headerMismatch,
    meaning: 'a required header is missing or disagrees with the body',
    source: { page: 'basic/transports/streamable-http.mdx', section: 'H5', level: 'MUST' },
  },
  {
    code: ERROR_CODE.missingCapability,
    meaning: 'the client did not declare a capability that the request needs',
    source: { page: 'SEP-2663', section: 'J2', level: 'MUST' },
  },
  {
    code: ERROR_CODE.unsupportedVersion,
    meaning: 'the server does not speak the revision that was asked for; the error lists those it does',
    source: { page: 'basic/transports/streamable-http.mdx', section: 'H5', level: 'MUST' },
  },
];
