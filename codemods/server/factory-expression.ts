/** The factory of a server as an expression where the server is connected, with the edits that make it one. */
import { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import { classifyReceiver } from '../../src/analysis/receivers.js';
import { functionsBehind } from '../../src/analysis/server-entries.js';
import type { ServerEntry, ServerGroup } from '../../src/analysis/server-group.js';
import type { SourceUnit } from '../../src/analysis/source-unit.js';
import { SERVER } from '../../src/analysis/subject.js';
import { peel } from '../../src/analysis/syntax.js';
import { indentAt } from '../../src/codegen/file-style.js';
import { freeName } from '../../src/codegen/names.js';
import { SERVER_CLASSES, V2_SERVER_PACKAGE } from '../../src/protocol/index.js';
import type { FileEdit, Target } from '../codemod.js';
import type { Obstacle } from '../obstacle.js';
import { builtElsewhere } from './hosted-source.js';
import { importedName, isTakenIn, type ImportNeed } from './imports.js';
import { contextName, contextType, neededContexts, type ContextRoot } from './request-context.js';
import type { ServerSource } from './server-source.js';
import { extentOf, linesBetween, lineStart, withEmptyLines, type Extent } from './statement-extent.js';
import { structureOf, type BuiltStructure } from './stdio-structure.js';
import { isTypeScriptFile } from '../../src/workspace/paths.js';

/** A factory, written out. */
export interface FactoryExpression {
  /**
   * `createServer`, or `(ctx) => createServer(config, ctx)`; for one that is built where it is connected, what stands in
   * front of the statements that build it: `(ctx) => {`.
   */
  readonly text: string;
  /** What builds the server in front of its connection, which becomes the body of the factory. */
  readonly body: FactoryBody | undefined;
  readonly edits: readonly FileEdit[];
  readonly imports: readonly ImportNeed[];
}

/** The statements of a factory that is written where the server is connected. */
export interface FactoryBody {
  readonly statements: readonly ts.Statement[];
  /** A line in front of them, without indentation. */
  readonly first: string | undefined;
  /** `return server;` */
  readonly last: string;
}

/**
 * The factory behind a hand-wired entry.
 *
 * @param at where it will be written, if not where the server is connected: what it uses has to be visible there
 */
export function factoryAt(
  entry: ServerEntry,
  group: ServerGroup,
  facts: Facts,
  target: Target,
  at: ts.Node = entry.call,
): FactoryExpression | Obstacle {
  if (entry.transport !== 'stdio') {
    const source = builtElsewhere(entry, group, facts, at);
    return 'at' in source
      ? source
      : ofExpression(source, facts.unitOf(entry.call), makersOf(source.made, facts), undefined);
  }
  const structure = structureOf(entry, group, facts);
  if ('at' in structure) return structure;
  if (structure.form === 'instance')
    return { text: `() => ${structure.instance}`, body: undefined, edits: [], imports: [] };
  const needed = neededContexts(group, facts, target);
  if (structure.form === 'expression') {
    const { makers, source, connection } = structure;
    const context = needed.some((root) => 'maker' in root && makers.includes(root.maker))
      ? contextName(connection.unit)
      : undefined;
    return ofExpression(source, connection.unit, makers, context);
  }
  return structure.form === 'block' ? ofBlock(structure, needed) : ofRegion(structure, needed, facts);
}

function ofExpression(
  { made, isAwaited, path }: ServerSource,
  unit: SourceUnit,
  makers: readonly ts.SignatureDeclaration[],
  context: string | undefined,
): FactoryExpression {
  const callee = peel(made.expression);
  const takesNothing = makers.length > 0 && makers.every((maker) => maker.parameters.length === 0);
  const hasArguments = (made.arguments?.length ?? 0) > 0;
  const isFunction = ts.isCallExpression(made) && ts.isIdentifier(callee);
  if (isFunction && path.length === 0 && !hasArguments && takesNothing)
    return { text: callee.getText(), body: undefined, edits: [], imports: [] };
  const call = callText(made, unit, context);
  const parameters = `(${context ?? ''})`;
  const members = path.map((member) => `.${member}`).join('');
  const isLate = isAwaited && path.length > 0;
  const value = isLate ? `(await ${call})${members}` : call + members;
  return {
    text: `${isLate ? 'async ' : ''}${parameters} => ${value}`,
    body: undefined,
    edits: [],
    imports: [],
  };
}

/** The call that makes the server, with the context behind its arguments. */
function callText(
  made: ServerSource['made'],
  { text, tree }: SourceUnit,
  context: string | undefined,
): string {
  const start = made.getStart(tree);
  if (made.arguments === undefined) return `${text.slice(start, made.end)}()`;
  if (context === undefined) return text.slice(start, made.end);
  const last = made.arguments.at(-1);
  const end = last?.end ?? made.arguments.pos;
  return `${text.slice(start, end)}${last === undefined ? '' : ', '}${context}${text.slice(end, made.end)}`;
}

function isNeeded(
  needed: readonly ContextRoot[],
  structure: BuiltStructure,
  part: 'region' | 'prepared',
): boolean {
  return needed.some((root) => 'structure' in root && root.structure === structure && root.part === part);
}

function ofBlock(structure: BuiltStructure, needed: readonly ContextRoot[]): FactoryExpression {
  const { connection, prepared, makers, source } = structure;
  const { unit } = connection;
  const isHanded = needed.some((root) => 'maker' in root && makers.includes(root.maker));
  const context = isHanded || isNeeded(needed, structure, 'prepared') ? contextName(unit) : undefined;
  const edits = isHanded ? [contextEdit(source.made, unit, contextName(unit))] : [];
  const isAsync = prepared.some(awaits);
  return {
    text: arrow(context, isAsync),
    body: { statements: prepared, first: undefined, last: returned(structure) },
    edits,
    imports: [],
  };
}

function contextEdit(made: ServerSource['made'], { file }: SourceUnit, name: string): FileEdit {
  const last = made.arguments?.at(-1);
  const start = last?.end ?? made.arguments?.pos ?? made.end;
  const text = last === undefined ? name : `, ${name}`;
  return { file, start, end: start, text, reason: 'hands the context on' };
}

function arrow(context: string | undefined, isAsync: boolean): string {
  return `${isAsync ? 'async ' : ''}(${context ?? ''}) => {`;
}

function returned({ source, connection }: BuiltStructure): string {
  const path = [source.variable?.name ?? '', ...(source.variable === undefined ? [] : pathBehind(source))];
  return `return ${path.join('.')}${connection.unit.style.semicolon}`;
}

/** The members behind the variable: what it was taken out by is no part of them. */
function pathBehind({ variable, path }: ServerSource): readonly string[] {
  return variable !== undefined && ts.isBindingElement(variable.declaration) ? path.slice(1) : path;
}

function awaits(statement: ts.Statement): boolean {
  let found = false;
  const visit = (node: ts.Node): void => {
    if (found || ts.isFunctionLike(node)) return;
    if (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier !== undefined))
      found = true;
    else ts.forEachChild(node, visit);
  };
  visit(statement);
  return found;
}

function ofRegion(
  structure: BuiltStructure,
  needed: readonly ContextRoot[],
  facts: Facts,
): FactoryExpression {
  const { connection, region, prepared, makers, source } = structure;
  const { unit } = connection;
  const isHanded = needed.some((root) => 'maker' in root && makers.includes(root.maker));
  const inRegion = isHanded || isNeeded(needed, structure, 'region');
  const name = freeName(['createServer', 'createMcpServer', 'buildMcpServer'], isTakenIn(unit.tree));
  const context = contextName(unit);
  const isAsync = region.some(awaits);
  const made = functionFor(structure, name, inRegion ? context : undefined, isAsync, facts);
  const edits = [...(isHanded ? [contextEdit(source.made, unit, context)] : []), ...made.edits];
  if (prepared.length === 0) return { text: name, body: undefined, edits, imports: made.imports };
  const isLate = isAsync || prepared.some(awaits);
  const variable = source.variable?.name ?? name;
  const call = `${isAsync ? 'await ' : ''}${name}(${inRegion ? context : ''})`;
  return {
    text: arrow(inRegion || isNeeded(needed, structure, 'prepared') ? context : undefined, isLate),
    body: {
      statements: prepared,
      first: `const ${variable} = ${call}${unit.style.semicolon}`,
      last: `return ${variable}${unit.style.semicolon}`,
    },
    edits,
    imports: made.imports,
  };
}

/** The function that a region of a module becomes, where it stands; what only stands between moves in front of it. */
function functionFor(
  structure: BuiltStructure,
  name: string,
  context: string | undefined,
  isAsync: boolean,
  facts: Facts,
): { edits: FileEdit[]; imports: ImportNeed[] } {
  const { connection, region } = structure;
  const { unit } = connection;
  const { style, text } = unit;
  const imports: ImportNeed[] = [];
  const type = isTypeScriptFile(unit.file) ? returnType(structure, unit, facts, imports) : undefined;
  const returns = type === undefined ? '' : `: ${isAsync ? `Promise<${type}>` : type}`;
  let parameter = context ?? '';
  if (context !== undefined && isTypeScriptFile(unit.file)) {
    const contextual = contextType(unit, unit);
    imports.push(...contextual.needs);
    parameter = `${context}: ${contextual.text}`;
  }
  const frame = frameAround(unit, region, unit.tree.statements);
  const gap = needsGap(text, frame) ? style.eol : '';
  const behind = /^(?:[ \t]*\r?\n|$)/.test(text.slice(frame.extent.end)) ? '' : style.eol;
  const own = { file: unit.file, start: frame.extent.start, end: frame.extent.end, text: '' };
  return {
    imports,
    edits: [
      ...frame.moves,
      {
        ...own,
        reason: 'a function that makes a new server for each call',
        frame: {
          open: `${gap}${isAsync ? 'async ' : ''}function ${name}(${parameter})${returns} {${style.eol}`,
          close: `${closing(text, frame.extent, style.eol)}${style.indent}${returned(structure)}${style.eol}}${style.eol}${behind}`,
          indent: { by: style.indent, lines: frame.lines },
        },
      },
    ],
  };
}

/** An empty line in front of the last one, and the line end that the last line of a file may lack. */
function closing(text: string, { end }: Extent, eol: string): string {
  return text.charAt(end - 1) === '\n' ? eol : eol + eol;
}

/** The lines from the first of some statements to the last, without what stands between them. */
export interface StatementFrame {
  readonly extent: Extent;
  readonly lines: readonly number[];
  /** The statements between them, which move in front. */
  readonly moves: readonly FileEdit[];
  /** The end of what moves last. */
  readonly movedEnd: number | undefined;
}

/** Frames statements of a list; what stands between them and is not left out moves in front of them. */
export function frameAround(
  unit: SourceUnit,
  statements: readonly ts.Statement[],
  list: readonly ts.Statement[],
  leftOut: readonly ts.Statement[] = [],
): StatementFrame {
  const extents = statements.flatMap((one) => extentOf(one, unit) ?? []);
  const start = Math.min(...extents.map((one) => one.start));
  const end = Math.max(...extents.map((one) => one.end));
  const between = list.filter(
    (one) => one.pos >= start && one.end <= end && !statements.includes(one) && !leftOut.includes(one),
  );
  const moved = between
    .flatMap((one) => extentOf(one, unit) ?? [])
    .map((one) => (isBehindGap(one.start, unit.text) ? withEmptyLines(one, unit.text) : one));
  return {
    extent: { start, end },
    lines: linesBetween(unit, { start, end }, moved),
    moves: moved.map((one, index) => ({
      file: unit.file,
      start: one.start,
      end: one.end,
      text: '',
      reason: 'stays outside of the factory',
      frame: { to: start, close: isApart(one, moved[index + 1], unit.text) ? unit.style.eol : '' },
    })),
    movedEnd: moved.at(-1)?.end,
  };
}

/** Whether what comes next to a statement that has moved stood somewhere else before. */
function isApart({ end }: Extent, next: Extent | undefined, text: string): boolean {
  return next !== undefined && next.start !== end && !isBehindGap(end, text);
}

function isBehindGap(position: number, text: string): boolean {
  return /(?:^|\n)[ \t]*\r?\n$/.test(text.slice(0, position));
}

/** Whether an empty line has to come in front of the frame. */
function needsGap(text: string, { extent, movedEnd }: StatementFrame): boolean {
  const end = movedEnd ?? extent.start;
  return end > 0 && !isBehindGap(end, text);
}

/** The class of the server, by the name that the file has for it. */
function returnType(
  { source, connection }: BuiltStructure,
  unit: SourceUnit,
  facts: Facts,
  imports: ImportNeed[],
): string | undefined {
  if (ts.isNewExpression(source.made) && source.path.length === 0) return source.made.expression.getText();
  const inner = peel(connection.receiver);
  const type = facts.world.checker.getTypeAtLocation(inner);
  const names = SERVER_CLASSES.map((row) => row.name as string);
  const name = names.find((one) => one === type.getSymbol()?.name);
  if (name === undefined || classifyReceiver(facts.world, inner, SERVER) !== 'instance') return undefined;
  const need = { file: unit.file, module: V2_SERVER_PACKAGE, name, isType: true };
  imports.push(need);
  return importedName(unit, need);
}

/** The indentation of a statement's line. */
export function indentOf(statement: ts.Node, { text, tree }: SourceUnit): string {
  const start = statement.getStart(tree);
  return indentAt(text, start) || text.slice(lineStart(text, start), start);
}

/** For those who only ask what is called to make a server. */
export function makersOf(made: ServerSource['made'], { world }: Facts): ts.SignatureDeclaration[] {
  return ts.isCallExpression(made) ? functionsBehind(world, made.expression) : [];
}
