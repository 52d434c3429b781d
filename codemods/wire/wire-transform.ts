/** A wire codemod as a transform module of jscodeshift: text in, text out, all bytes outside the edits kept. */
import type { API, FileInfo, Options } from 'jscodeshift';
import getParser from 'jscodeshift/src/getParser.js';
import type { Edit } from '../../src/codegen/edit.js';
import { applyEdits, findOverlap } from '../../src/codegen/edits.js';
import { indentAt } from '../../src/codegen/file-style.js';
import { isMarked, markerLine } from '../../src/codegen/marker.js';
import type { Target } from '../../src/codegen/negotiation.js';
import { shape } from '../../src/protocol/index.js';
import { parsersFor } from './parsers.js';
import { ALONE } from './surroundings.js';
import { childrenOf, type Node } from './tree.js';
import { readWireModule, statementAround, type WireModule } from './wire-module.js';
import { mayConcern, type WireCore, type WireOutcome, type WireSite } from './wire-site.js';

/** What `jscodeshift -t` calls. */
export type Transform = (file: FileInfo, api: API, options: Options) => string | undefined;

/** The parser that jscodeshift makes for a transform; the transform itself chooses by extension. */
export const PARSER = 'tsx';

const MARK = '\uFEFF';

/** The transform of a codemod. `--target` is `dual` where it is not given, as for `mcp-listen migrate`. */
export function wireTransform(core: WireCore): Transform {
  return (file, api, options) => {
    const bom = file.source.startsWith(MARK) ? MARK : '';
    const text = file.source.slice(bom.length);
    if (!mayConcern(text, core)) return undefined;
    const { parser, parserConfig } = options as { parser?: string; parserConfig?: unknown };
    const parsers = parsersFor(file.path, getParser, parser, parserConfig);
    const module = readWireModule(file.path, text, api.jscodeshift, parsers);
    if (module === undefined) throw new SyntaxError('does not parse, so it was left alone');
    const target = (options as { target?: unknown }).target === 'modern' ? 'modern' : 'dual';
    const edits = editsOf(module, decided(core.findIn(module, ALONE), target));
    return edits.length === 0 ? undefined : bom + applyEdits(text, edits);
  };
}

interface Decided {
  readonly site: WireSite;
  readonly outcome: WireOutcome;
}

/** The outcomes under a target; of a group that has to stay as it is in part, nothing is rewritten. */
function decided(sites: readonly WireSite[], target: Target): Decided[] {
  const all = sites.map((site): Decided => ({ site, outcome: site.outcome(target) }));
  return all.map(({ site, outcome }) => {
    const obstacle = all.find(
      (one) => site.group !== undefined && one.site.group === site.group && blocks(one.outcome),
    );
    if (outcome.kind !== 'rewritten' || obstacle?.outcome.kind !== 'marked') return { site, outcome };
    return { site, outcome: { kind: 'marked', text: obstacle.outcome.text, blocks: true } };
  });
}

function blocks(outcome: WireOutcome): boolean {
  return outcome.kind === 'marked' && outcome.blocks;
}

function editsOf(module: WireModule, sites: readonly Decided[]): Edit[] {
  const edits: Edit[] = [];
  const marked = new Set<string>();
  for (const { site, outcome } of sites) {
    const text =
      outcome.kind === 'marked' ? outcome.text : outcome.kind === 'rewritten' ? outcome.marker : undefined;
    if (text !== undefined) {
      const marker = markerEdit(module, site, text, marked);
      if (marker !== undefined) edits.push(marker);
    }
    if (outcome.kind !== 'rewritten') continue;
    const isFree = findOverlap([...edits, ...outcome.edits]) === undefined;
    if (isFree) edits.push(...outcome.edits);
  }
  return edits;
}

/** The marker's line above the statement of a site, unless one stands there. */
function markerEdit(module: WireModule, site: WireSite, text: string, marked: Set<string>): Edit | undefined {
  const statement = statementAround(module, nodeAt(module, site.anchor ?? site));
  const key = `${String(statement.start)}:${text}`;
  if (marked.has(key)) return undefined;
  marked.add(key);
  const before = module.text.slice(0, statement.start);
  if (isMarked(module.text, commentsBefore(before), statement.start)) return undefined;
  const line = markerLine(
    text,
    shape(site.shape).rule ?? site.shape,
    indentAt(module.text, statement.start),
    module.style,
  );
  return { start: statement.start, end: statement.start, text: line, reason: 'marker' };
}

/** Where the lines of comments and white space before a statement begin. */
function commentsBefore(before: string): number {
  const [tail = ''] = /(?:^|\n)(?:[ \t]*(?:\/\/[^\n]*|\/?\*[^\n]*)?\r?\n)*[ \t]*$/.exec(before) ?? [];
  return before.length - tail.length;
}

/** The innermost node with the range of a site. */
export function nodeAt(module: WireModule, { start, end }: Pick<WireSite, 'start' | 'end'>): Node {
  let found = module.program;
  for (let next: Node | undefined = found; next !== undefined;) {
    found = next;
    next = childrenOf(found).find((node) => node.start <= start && end <= node.end);
  }
  return found;
}
