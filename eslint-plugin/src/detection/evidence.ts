/** Whether a file has to do with MCP at all: a search in its text, before any rule looks at its tree. */
import { EVIDENCE_WORDS } from '../../../src/protocol/index.js';

const known = new Map<string, boolean>();

/** Whether a text mentions MCP. The last answers are remembered: every rule asks of the same text. */
export function mentionsMcp(text: string): boolean {
  const answer = known.get(text);
  if (answer !== undefined) return answer;
  const lowered = text.toLowerCase();
  const found = EVIDENCE_WORDS.some((word) => lowered.includes(word));
  if (known.size > 4) known.clear();
  known.set(text, found);
  return found;
}
