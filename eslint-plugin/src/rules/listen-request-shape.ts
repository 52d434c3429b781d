/** A listen request written by hand that a server refuses, or reads otherwise than it was meant (A2, H2, H3, H4, H9). */
import {
  ACCEPT_BOTH,
  FILTER_PARAM,
  HEADER,
  MEDIA_TYPE,
  META,
  METHOD,
  MODERN_REVISION,
} from '../../../src/protocol/index.js';
import type { SourceCode } from '../ast.js';
import { isTestCode } from '../detection/test-code.js';
import { stringOf } from '../detection/values.js';
import { headersOf } from '../detection/wire-headers.js';
import { listenRequests, type ListenRequest } from '../detection/wire-requests.js';
import { entryAt } from '../detection/wire-values.js';
import { createRule } from '../rule.js';

export const listenRequestShape = createRule({
  name: 'listen-request-shape',
  docs: {
    description: 'Require that a hand-written listen request has the members and headers that it must have',
    level: 'MUST',
    recommended: 'error',
  },
  type: 'problem',
  tokens: [METHOD.subscriptionsListen],
  messages: {
    incomplete: `A server refuses this ${METHOD.subscriptionsListen} request (HTTP 400 or an error in the body), so no stream opens: {{faults}}. Give it \`params: { ${FILTER_PARAM}, _meta }\`, and over HTTP the headers of every POST.`,
    batched: `Revision ${MODERN_REVISION} knows no batches, so a server refuses this ${METHOD.subscriptionsListen} request. Post it as the one message of a request of its own.`,
  },
  check({ sourceCode, filename, report }) {
    for (const request of listenRequests(sourceCode)) {
      if (isTestCode(filename, request.object)) continue;
      if (request.isBatched && request.isSentAsSpelt) report({ node: request.object, messageId: 'batched' });
      else {
        const faults = [...faultsOfBody(sourceCode, request), ...faultsOfHeaders(sourceCode, request)];
        if (faults.length > 0)
          report({ node: request.object, messageId: 'incomplete', data: { faults: faults.join('; ') } });
      }
    }
  },
});

function faultsOfBody(sourceCode: SourceCode, { object, isSentAsSpelt }: ListenRequest): string[] {
  const has = (...path: readonly string[]): boolean => entryAt(sourceCode, object, ...path) !== undefined;
  const faults: string[] = [];
  // `params.uri` and `params.filter` are what valid-listen-filter explains.
  if (!has('params', FILTER_PARAM) && !has('params', 'uri') && !has('params', 'filter'))
    faults.push(`\`params.${FILTER_PARAM}\` is missing`);
  if (!isSentAsSpelt) return faults;
  const missing = [META.protocolVersion, META.clientCapabilities].filter(
    (key) => !has('params', '_meta', key),
  );
  if (missing.length > 0) faults.push(`\`params._meta\` lacks ${missing.map(quoted).join(' and ')}`);
  return faults;
}

function faultsOfHeaders(sourceCode: SourceCode, { object, post }: ListenRequest): string[] {
  const headerOf = post === undefined ? undefined : headersOf(sourceCode, post);
  if (headerOf === undefined) return [];
  const faults: string[] = [];
  const accept = headerOf(HEADER.accept);
  const accepted = [MEDIA_TYPE.json, MEDIA_TYPE.eventStream];
  if (accept !== undefined && !accepted.every((type) => accept?.includes(type) === true))
    faults.push(`${HEADER.accept} must be '${ACCEPT_BOTH}'`);
  const method = headerOf(HEADER.method);
  if (method === null) faults.push(`the header ${HEADER.method} is missing`);
  else if (method !== undefined && method !== METHOD.subscriptionsListen)
    faults.push(`the header ${HEADER.method} says '${method}', the body '${METHOD.subscriptionsListen}'`);
  const version = headerOf(HEADER.protocolVersion);
  const inBody = entryAt(sourceCode, object, 'params', '_meta', META.protocolVersion);
  const said = inBody === undefined || inBody === 'unknown' ? undefined : stringOf(sourceCode, inBody);
  if (version === null) faults.push(`the header ${HEADER.protocolVersion} is missing`);
  else if (version !== undefined && said !== undefined && version !== said)
    faults.push(`the header ${HEADER.protocolVersion} says '${version}', the body '${said}'`);
  return faults;
}

function quoted(key: string): string {
  return `'${key}'`;
}
