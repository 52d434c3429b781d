/** Code under a marker: what is wrong with it is said there already, and `no-unfinished-migration` reports that. */
import { MARKER_TAG } from '../../../src/codegen/marker.js';
import { parentOf, type Node, type SourceCode } from '../ast.js';

/** Whether a marker stands right above the code at a node: above its statement, or above the property or element it is in. */
export function isUnderMarker(sourceCode: SourceCode, node: Node): boolean {
  if (!sourceCode.text.includes(MARKER_TAG)) return false;
  for (let at: Node | undefined = node; at !== undefined; at = parentOf(at)) {
    if (hasMarkerAbove(sourceCode, at)) return true;
    const parent = parentOf(at);
    if (parent === undefined || parent.type === 'BlockStatement' || parent.type === 'Program') return false;
    if (parent.type === 'ClassBody' || parent.type === 'SwitchCase') return false;
  }
  return false;
}

/** In the comments that end on the line above. */
function hasMarkerAbove({ lines }: SourceCode, node: Node): boolean {
  for (let line = node.loc.start.line - 2; line >= 0; line -= 1) {
    const text = lines[line]?.trim() ?? '';
    if (!/^(?:\/\/|\/\*|\*|\{\/\*)/.test(text)) return false;
    if (text.includes(MARKER_TAG)) return true;
  }
  return false;
}
