/** Whether a file has to do with MCP at all: a search in its text, before any rule looks at its tree. */
import { EVIDENCE_WORDS } from '../../../src/protocol/index.js';

/** Every rule asks of the same text, one after the other. */
let last: { readonly text: string; readonly answer: boolean } | undefined;

/** Whether a text mentions MCP. */
export function mentionsMcp(text: string): boolean {
  if (last?.text !== text) {
    const lowered = text.toLowerCase();
    last = { text, answer: EVIDENCE_WORDS.some((word) => lowered.includes(word)) };
  }
  return last.answer;
}
