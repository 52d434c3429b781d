/** Code as it can be named in a sentence. */
import type { ts } from 'ts-morph';

/** The text of a node on one line, cut off where it gets long. */
export function shortText(node: ts.Node): string {
  const text = node.getText().replaceAll(/\s+/g, ' ');
  return text.length > 40 ? `${text.slice(0, 37)}...` : text;
}
