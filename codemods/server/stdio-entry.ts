/** Servers that are wired to stdio by hand: `serveStdio` makes one for each connection, of either era (T4, T7). */
import type { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import type { ServerEntry, ServerGroup } from '../../src/analysis/server-group.js';
import type { SourceUnit } from '../../src/analysis/source-unit.js';
import { statementListOf } from '../../src/analysis/syntax.js';
import { freeName } from '../../src/codegen/names.js';
import { quoted } from '../../src/codegen/file-style.js';
import { SERVER_MEMBER, SERVER_OPTION, SERVER_SYMBOL } from '../../src/protocol/index.js';
import type { Codemod, FileEdit, Outcome, Target } from '../codemod.js';
import { factoryAt, frameAround, indentOf, type FactoryBody } from './factory-expression.js';
import { outcomeByServer } from './group-outcome.js';
import { isTakenIn } from './imports.js';
import { moveOf } from './move.js';
import { sdkNames } from './sdk-names.js';
import { serverSite } from './server-site.js';
import { extentOf, type Extent } from './statement-extent.js';
import type { Connection } from './stdio-connection.js';
import { isStdio, structureOf, type StdioStructure } from './stdio-structure.js';

/** The codemod for `server.connect(new StdioServerTransport())`. */
export const stdioEntry: Codemod<ServerGroup> = {
  name: 'server/stdio-entry',
  removes: 'hosting',
  tokens: ['StdioServerTransport'],

  find(facts) {
    return facts.servers.flatMap((group) =>
      group.entries.filter(isStdio).map(({ call }) => serverSite(call, 'STDIO', group, facts)),
    );
  },

  rewrite(site, facts, target) {
    const entry = site.group.entries.find(({ call }) => call === site.node);
    if (entry === undefined) throw new Error('a site of another codemod');
    const decided = outcomeByServer(site, facts, target);
    if (decided !== undefined) return decided;
    if (moveOf(site.group, facts, target).to !== 'stdio')
      return { kind: 'kept', reason: 'its clients on stdio stay on the 2025 era; another entry serves both' };
    return serve(entry, site.group, facts, target);
  },
};

function serve(entry: ServerEntry, group: ServerGroup, facts: Facts, target: Target): Outcome {
  const structure = structureOf(entry, group, facts);
  const factory = factoryAt(entry, group, facts, target);
  if ('at' in structure || 'at' in factory) throw new Error('an obstacle of the group');
  const { connection } = structure;
  const { unit } = connection;
  const names = sdkNames(unit);
  const handle =
    structure.closed.length === 0 ? undefined : freeName(['handle', 'stdioHandle'], isTakenIn(unit.tree));
  const head = `${handle === undefined ? '' : `const ${handle} = `}${names.nameOf(SERVER_SYMBOL.serveStdio)}(${factory.text}`;
  const tail = `${optionsText(connection, target, unit)})${semicolonOf(connection.statement, unit)}`;
  const edits = [
    ...factory.edits,
    ...(factory.body === undefined
      ? replaced(connection, head + tail)
      : wrapped(structure, factory.body, head, `}${tail}`)),
    ...withoutDeclarations(structure),
    ...closings(structure, handle),
  ];
  return {
    kind: 'rewritten',
    edits,
    imports: [...names.needs(), ...factory.imports],
    reason:
      target === 'modern'
        ? 'served by serveStdio, for clients of 2026-07-28'
        : 'served by serveStdio, for clients of both eras',
  };
}

function optionsText({ transport }: Connection, target: Target, { style }: SourceUnit): string {
  const options = [
    ...(target === 'modern' ? [`${SERVER_OPTION.legacy}: ${quoted(SERVER_OPTION.reject, style)}`] : []),
    ...(transport.option === undefined ? [] : [transport.option]),
  ];
  return options.length === 0 ? '' : `, { ${options.join(', ')} }`;
}

function semicolonOf(statement: ts.Statement, { text }: SourceUnit): string {
  return text.charAt(statement.end - 1) === ';' ? ';' : '';
}

function replaced({ statement, unit }: Connection, text: string): FileEdit[] {
  return [
    {
      file: unit.file,
      start: statement.getStart(unit.tree),
      end: statement.end,
      text,
      reason: 'served by serveStdio',
    },
  ];
}

/** The declarations of the server and the transport; what is said above the server comes above what takes its place. */
function withoutDeclarations(structure: StdioStructure): FileEdit[] {
  const { unit, statement, transport } = structure.connection;
  const declared = structure.form === 'expression' ? structure.source.variable?.statement : undefined;
  const comment = declared === undefined ? '' : commentAbove(declared, unit);
  const place = extentOf(statement, unit);
  const isBeside = declared?.parent === statement.parent;
  const isCarried = isBeside && comment !== '' && place !== undefined;
  const own = declared === undefined ? undefined : linesOf(declared, unit);
  const isWhole = comment === '' || isCarried;
  const kept = own === undefined || isWhole ? own : { ...own, start: own.start + comment.length };
  const other = transport.superfluous === undefined ? undefined : linesOf(transport.superfluous, unit);
  return [
    ...withoutLines([kept, other], unit),
    ...(isCarried
      ? [
          {
            file: unit.file,
            start: place.start,
            end: place.start,
            text: comment,
            reason: 'the comment stays',
          },
        ]
      : []),
  ];
}

function commentAbove(statement: ts.Statement, unit: SourceUnit): string {
  const extent = extentOf(statement, unit);
  const line = unit.text.lastIndexOf('\n', statement.getStart(unit.tree) - 1) + 1;
  return extent === undefined ? '' : unit.text.slice(extent.start, line);
}

function linesOf(statement: ts.Statement, unit: SourceUnit): Extent {
  return extentOf(statement, unit) ?? { start: statement.getStart(unit.tree), end: statement.end };
}

/** Lines that go, with one of two empty lines that would meet, or the one that a block would begin with. */
function withoutLines(extents: readonly (Extent | undefined)[], { text, file }: SourceUnit): FileEdit[] {
  const sorted = extents.flatMap((one) => one ?? []).sort((a, b) => a.start - b.start);
  const [first, second] = sorted;
  const runs =
    first !== undefined && second?.start === first.end ? [{ start: first.start, end: second.end }] : sorted;
  return runs.map(({ start, end }) => {
    const isBehindGap = /(?:^|\n[ \t]*\r?\n|[{([][ \t]*\r?\n)$/.test(text.slice(0, start));
    const gap = isBehindGap ? (/^[ \t]*\r?\n/.exec(text.slice(end))?.[0].length ?? 0) : 0;
    return { file, start, end: end + gap, text: '', reason: 'nothing uses it any more' };
  });
}

/** The statements that build the server become the body of the factory; others between them move in front. */
function wrapped(structure: StdioStructure, body: FactoryBody, head: string, tail: string): FileEdit[] {
  const { connection } = structure;
  const { unit, statement, transport } = connection;
  const { style, file, text } = unit;
  const indent = indentOf(statement, unit);
  const list: readonly ts.Statement[] = statementListOf(statement) ?? [];
  const leftOut = transport.superfluous === undefined ? [] : [transport.superfluous];
  const frame = frameAround(unit, [...body.statements, statement], list, leftOut);
  const own = extentOf(statement, unit) ?? frame.extent;
  const comment = commentAbove(statement, unit);
  const lines = frame.lines.filter((line) => line < own.start || line >= own.start + comment.length);
  const first = body.first === undefined ? '' : `${indent}${style.indent}${body.first}${style.eol}`;
  const end = text.charAt(frame.extent.end - 1) === '\n' ? style.eol : '';
  const lineEnd = end === '' ? style.eol : '';
  return [
    ...frame.moves,
    ...(comment === ''
      ? []
      : [
          {
            file,
            start: own.start,
            end: own.start + comment.length,
            text: '',
            reason: 'stays above what it is about',
            frame: { to: frame.extent.start },
          },
        ]),
    {
      file,
      start: frame.extent.start,
      end: frame.extent.end,
      text: '',
      reason: 'what builds the server is its factory',
      frame: {
        open: `${indent}${head}${style.eol}${first}`,
        close: `${lineEnd}${indent}${tail}${end}`,
        indent: { by: style.indent, lines },
      },
    },
    ...replaced(connection, body.last),
  ];
}

/** `await server.close()` closes what `serveStdio` has returned. */
function closings({ closed, connection }: StdioStructure, handle: string | undefined): FileEdit[] {
  const { unit } = connection;
  return closed.map((path) => ({
    file: unit.file,
    start: path.getStart(unit.tree),
    end: path.end,
    text: handle ?? '',
    reason: `${SERVER_MEMBER.close}s what is served`,
  }));
}
