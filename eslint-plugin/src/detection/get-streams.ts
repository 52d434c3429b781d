/** Event streams of 2025 that a file opens by hand: a GET for `text/event-stream` to an MCP endpoint (R9). */
import { HEADER, MEDIA_TYPE } from '../../../src/protocol/index.js';
import { enclosingFunction, type SourceCode } from '../ast.js';
import { httpRequests, type HttpRequest } from './http-requests.js';
import { enclosingClass } from './origins.js';
import { isMcpPlace } from './raw-era.js';
import { usesOf } from './uses.js';
import { stringOf } from './values.js';

/** The requests that open such a stream. */
export function getStreams(sourceCode: SourceCode): HttpRequest[] {
  if (!sourceCode.text.includes(MEDIA_TYPE.eventStream)) return [];
  return httpRequests(sourceCode).filter((request) => isGetStream(sourceCode, request));
}

function isGetStream(sourceCode: SourceCode, { call, url, method, headers }: HttpRequest): boolean {
  if (method !== 'GET') return false;
  const accept = stringOf(sourceCode, headers.byName.get(HEADER.accept.toLowerCase())?.value);
  if (accept?.includes(MEDIA_TYPE.eventStream) !== true) return false;
  const around = enclosingClass(call) ?? enclosingFunction(call) ?? call;
  // HTTP+SSE of 2024-11-05 is another transport: its stream begins with an `endpoint` event.
  if (/['"]endpoint['"]/.test(sourceCode.getText(around))) return false;
  if (url !== undefined && /\/sse\b/.test(sourceCode.getText(url))) return false;
  return headers.byName.has(HEADER.sessionId.toLowerCase()) || isMcpPlace(sourceCode, call);
}

/** What is asked of an answer by those who only want to know whether there is a stream. */
const PROBES = new Set(['status', 'statusText', 'ok', 'headers', 'json']);

/** Whether somebody may read the stream: a test that asks for the status alone does not. */
export function isStreamRead(sourceCode: SourceCode, { call }: HttpRequest): boolean {
  const { members, escapes } = usesOf(sourceCode, call);
  return escapes.length > 0 || members.some(({ name }) => !PROBES.has(name));
}
