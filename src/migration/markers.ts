/** Where markers go, and which stand there already. */
import { ts } from 'ts-morph';
import type { SourceUnit } from '../analysis/source-unit.js';
import { statementListOf } from '../analysis/syntax.js';
import type { FileEdit } from '../../codemods/codemod.js';
import { indentAt } from '../codegen/file-style.js';
import { isMarked, isMarkerOf, MARKER_TAG, markerComment, markerLine } from '../codegen/marker.js';

/** What is to be said at a node. */
export interface MarkerRequest {
  readonly unit: SourceUnit;
  readonly node: ts.Node;
  readonly text: string;
  /** The rule or shape in parentheses at the end. */
  readonly reference: string;
}

/**
 * The edits for all requests: one marker per statement and sentence. A statement that has one gets no second one, but the
 * marker of an earlier run gives way where the same rule has another reason now.
 */
export function markerEdits(requests: readonly MarkerRequest[]): FileEdit[] {
  const written = new Set<string>();
  const edits: FileEdit[] = [];
  for (const request of requests) {
    const { unit, node, text, reference } = request;
    const anchor = markerAnchor(node);
    const start = anchor.getStart(unit.tree);
    const key = `${unit.file}:${String(start)}:${text}`;
    if (written.has(key)) continue;
    written.add(key);
    if (isMarked(unit.text, anchor.getFullStart(), start)) {
      edits.push(...outdatedMarkerEdits(request, anchor, requests));
      continue;
    }
    const line = markerLine(text, reference, indentOf(unit.text, start), unit.style);
    edits.push({ file: unit.file, start, end: start, text: line, reason: 'marker' });
  }
  return edits;
}

/** Only where it is one sentence for one sentence: among several nobody can tell which has become which. */
function outdatedMarkerEdits(
  { unit, text, reference }: MarkerRequest,
  anchor: ts.Node,
  requests: readonly MarkerRequest[],
): FileEdit[] {
  const wanted = new Set(
    requests
      .filter((one) => one.reference === reference && markerAnchor(one.node) === anchor)
      .map((one) => one.text),
  );
  const comment = markerComment(text, reference);
  const [found, ...others] = (ts.getLeadingCommentRanges(unit.text, anchor.getFullStart()) ?? []).filter(
    ({ pos, end }) => isMarkerOf(unit.text.slice(pos, end), reference),
  );
  if (found === undefined || others.length > 0 || wanted.size > 1) return [];
  if (unit.text.slice(found.pos, found.end) === comment) return [];
  return [{ file: unit.file, start: found.pos, end: found.end, text: comment, reason: 'marker' }];
}

/**
 * The edits that take away markers above statements that are now rewritten: what they asked for is decided.
 *
 * @param rewritten the rewritten nodes
 * @param requests what is still to be said; a statement that is spoken of again keeps its marker
 */
export function staleMarkerEdits(
  rewritten: readonly { readonly unit: SourceUnit; readonly node: ts.Node }[],
  requests: readonly MarkerRequest[],
): FileEdit[] {
  const kept = new Set(requests.map(({ node }) => markerAnchor(node)));
  const anchors = new Map(rewritten.map(({ unit, node }) => [markerAnchor(node), unit]));
  return [...anchors].flatMap(([anchor, unit]) => (kept.has(anchor) ? [] : markerLinesAbove(anchor, unit)));
}

function markerLinesAbove(anchor: ts.Node, { file, text, tree }: SourceUnit): FileEdit[] {
  const comments = ts.getLeadingCommentRanges(text, anchor.getFullStart()) ?? [];
  return comments.flatMap(({ pos, end }): FileEdit[] => {
    const lineStart = text.lastIndexOf('\n', pos - 1) + 1;
    const nextLine = text.indexOf('\n', end) + 1;
    const isWholeLine = text.slice(lineStart, pos).trim() === '' && text.slice(end, nextLine).trim() === '';
    const isOurs = text.slice(pos, end).startsWith(`// ${MARKER_TAG}`);
    if (!isOurs || !isWholeLine || nextLine === 0 || nextLine > anchor.getStart(tree)) return [];
    return [{ file, start: lineStart, end: nextLine, text: '', reason: 'what the marker asked is done' }];
  });
}

/**
 * The statement or class member above which a comment line can stand. A node inside JSX, a template or a decorator is
 * marked above the statement around it.
 */
export function markerAnchor(node: ts.Node): ts.Node {
  let anchor = node;
  for (let current = node as ts.Node | undefined; current !== undefined; current = current.parent) {
    anchor = current;
    if (ts.isClassElement(current) && !ts.isClassLike(current)) return current;
    if (ts.isStatement(current) && statementListOf(current) !== undefined) return current;
  }
  return anchor;
}

function indentOf(text: string, start: number): string {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lead = text.slice(lineStart, start);
  // `{ await …; }` on one line: the statement gets a line of its own under the comment.
  return /^[ \t]*$/.test(lead) ? lead : indentAt(text, start);
}
