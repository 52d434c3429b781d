// The words by which a text shows that it has to do with MCP at all.
import { HEADER } from './headers.js';
import { META } from './meta-keys.js';
import { METHOD } from './methods.js';
import { NOTIFICATION } from './notifications.js';
import { CLIENT_MEMBER, SDK_SCOPE } from './sdk.js';

const words = [
  ...new Set(
    [
      'mcp',
      SDK_SCOPE,
      CLIENT_MEMBER.subscribeResource,
      CLIENT_MEMBER.unsubscribeResource,
      HEADER.sessionId,
      HEADER.protocolVersion,
      ...Object.values(META),
      ...[...Object.values(METHOD), ...Object.values(NOTIFICATION)].filter((method) => method.includes('/')),
    ].map((word) => word.toLowerCase()),
  ),
];

/**
 * In lower case, since header names have none: a text without any of them has nothing to do with MCP. A word that holds
 * another one is left out.
 */
export const EVIDENCE_WORDS: readonly string[] = words.filter(
  (word) => !words.some((other) => other !== word && word.includes(other)),
);
