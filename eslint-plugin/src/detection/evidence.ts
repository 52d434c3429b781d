/** Whether a file has to do with MCP at all: a search in its text, before any rule looks at its tree. */
import { MARKER_TAG } from '../../../src/codegen/marker.js';
import { CLIENT_MEMBER, HEADER, META, METHOD, NOTIFICATION, SDK_SCOPE } from '../../../src/protocol/index.js';

/** Words that nobody writes who does not speak MCP. */
const WORDS = [
  SDK_SCOPE,
  CLIENT_MEMBER.subscribeResource,
  CLIENT_MEMBER.unsubscribeResource,
  MARKER_TAG,
  HEADER.sessionId,
  HEADER.protocolVersion,
  ...Object.values(META),
  ...[...Object.values(METHOD), ...Object.values(NOTIFICATION)].filter((method) => method.includes('/')),
].map((word) => word.toLowerCase());

const known = new Map<string, boolean>();

/** Whether a text mentions MCP. The last answers are remembered: every rule asks of the same text. */
export function mentionsMcp(text: string): boolean {
  const answer = known.get(text);
  if (answer !== undefined) return answer;
  const lowered = text.toLowerCase();
  const found = WORDS.some((word) => lowered.includes(word)) || /\bmcp\b/i.test(text);
  if (known.size > 4) known.clear();
  known.set(text, found);
  return found;
}
