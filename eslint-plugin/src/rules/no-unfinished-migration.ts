/** A marker that the migration left, and that nobody has decided yet. */
import { MARKER_TAG } from '../../../src/codegen/marker.js';
import type { SourceCode, TSESLint, TSESTree } from '../ast.js';
import { createRule } from '../rule.js';

export const noUnfinishedMigration = createRule({
  name: 'no-unfinished-migration',
  docs: {
    description: 'Disallow markers of a migration that nobody has finished',
    level: 'advice',
    recommended: 'error',
    migration: true,
  },
  type: 'problem',
  tokens: [MARKER_TAG],
  messages: {
    unfinished: `The migration left this to you: {{what}}. Until it is decided, the code around it does not work in both eras. Do it, then delete the \`${MARKER_TAG}\` comment.`,
    unfinishedWithoutText: `The migration left a marker here that no longer says what is to be decided. Finish the code around it, then delete the \`${MARKER_TAG}\` comment.`,
  },
  check({ sourceCode, report }) {
    for (const comment of sourceCode.getAllComments()) {
      for (const { loc, what } of markersIn(sourceCode, comment)) {
        if (what === '') report({ node: sourceCode.ast, loc, messageId: 'unfinishedWithoutText' });
        else report({ node: sourceCode.ast, loc, messageId: 'unfinished', data: { what } });
      }
    }
  },
});

interface Marker {
  readonly loc: TSESLint.AST.SourceLocation;
  /** What a person must decide, without the full stop. */
  readonly what: string;
}

/** Markers stand at the start of a comment's line: a comment that merely mentions the tag is prose. */
const MARKER_LINE = new RegExp(
  `^([ \\t]*\\**[ \\t]*)(${MARKER_TAG.replaceAll(/[()]/g, String.raw`\$&`)}):?([^\\r\\n]*)`,
  'gm',
);

function markersIn(sourceCode: SourceCode, comment: TSESTree.Comment): Marker[] {
  const start = comment.range[0] + OPENING_LENGTH;
  return [...comment.value.matchAll(MARKER_LINE)].map((match) => {
    const [, lead = '', tag = '', text = ''] = match;
    const from = start + match.index + lead.length;
    return {
      loc: {
        start: sourceCode.getLocFromIndex(from),
        end: sourceCode.getLocFromIndex(from + tag.length),
      },
      what: text.trim().replace(/\.$/, ''),
    };
  });
}

/** Of `//` and of the other kind alike. */
const OPENING_LENGTH = 2;
