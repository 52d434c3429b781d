/** How code names the context that its server's factory is given, and the edits that hand it there. */
import { ts } from 'ts-morph';
import { gatesAround } from '../../src/analysis/registry-gates.js';
import { namedHolder, referencesOf } from '../../src/analysis/references.js';
import type { Facts } from '../../src/analysis/facts.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import { publishersOf } from '../../src/analysis/server-publishers.js';
import type { SourceUnit } from '../../src/analysis/source-unit.js';
import { contains, enclosingFunction } from '../../src/analysis/syntax.js';
import { freeName } from '../../src/codegen/names.js';
import { REQUEST_CONTEXT, SERVER_SYMBOL, V2_SERVER_PACKAGE } from '../../src/protocol/index.js';
import type { FileEdit, Target } from '../codemod.js';
import { importedName, isTakenIn, type ImportNeed } from './imports.js';
import { isStdio, structureOf, type StdioStructure } from './stdio-structure.js';
import { isTypeScriptFile } from '../../src/workspace/paths.js';

/** The context as code at a place knows it. */
export interface ContextName {
  readonly name: string;
  /** Its era, as an expression: `ctx.era`. */
  readonly era: string;
  /** What hands it there; the same objects for every place that needs them. */
  readonly edits: readonly FileEdit[];
  readonly imports: readonly ImportNeed[];
}

/** Where a context comes from. */
export type ContextRoot =
  /** The function that a region of the module becomes, or the one written where the server is connected. */
  | { readonly structure: StdioStructure; readonly part: 'region' | 'prepared' }
  /** A function that is there already. */
  | { readonly maker: ts.SignatureDeclaration };

interface Found extends ContextName {
  readonly root: ContextRoot;
  readonly isOptional: boolean;
}

/**
 * The factory's context at a node: in the factory, in what becomes one, or in a function that is called from there.
 *
 * @returns undefined where it cannot be handed there, and for modern servers, which have one era
 */
export function contextFor(
  node: ts.Node,
  group: ServerGroup,
  facts: Facts,
  target: Target,
): ContextName | undefined {
  return target === 'modern' ? undefined : contextAt(node, group, facts, DEPTH);
}

/** Functions that call one another. */
const DEPTH = 4;

function contextAt(node: ts.Node, group: ServerGroup, facts: Facts, depth: number): Found | undefined {
  if (depth === 0) return undefined;
  const built = builtAround(node, group, facts);
  if (built !== undefined) {
    const name = contextName(facts.unitOf(node));
    return {
      name,
      era: `${name}.${REQUEST_CONTEXT.era}`,
      edits: [],
      imports: [],
      root: built,
      isOptional: false,
    };
  }
  let outermost: ts.SignatureDeclaration | undefined;
  for (let owner = enclosingFunction(node); owner !== undefined; owner = enclosingFunction(owner)) {
    if (group.entries.some(({ factories }) => factories.some((factory) => factory === owner)))
      return ofServedFactory(owner, facts);
    if (isMaker(owner, group, facts)) return ofMaker(owner, group, facts);
    outermost = owner;
  }
  return outermost === undefined ? undefined : ofCallee(outermost, group, facts, depth);
}

/** The statements around a node that become a factory. */
function builtAround(node: ts.Node, group: ServerGroup, facts: Facts): ContextRoot | undefined {
  for (const structure of structuresOf(group, facts)) {
    for (const part of ['region', 'prepared'] as const) {
      if (structure[part].some((one) => contains(one, node))) return { structure, part };
    }
  }
  return undefined;
}

/** The structures of all stdio connections of a group that can be replaced. */
export function structuresOf(group: ServerGroup, facts: Facts): StdioStructure[] {
  return group.entries.flatMap((entry) => {
    if (!isStdio(entry)) return [];
    const structure = structureOf(entry, group, facts);
    return 'at' in structure ? [] : [structure];
  });
}

function isMaker(owner: ts.SignatureDeclaration, group: ServerGroup, facts: Facts): boolean {
  return structuresOf(group, facts).some(({ makers }) => makers.length === 1 && makers[0] === owner);
}

/** What a file calls the context: a name that nothing in it has. */
export function contextName({ tree }: SourceUnit): string {
  return freeName(['ctx', 'context', 'requestContext'], isTakenIn(tree));
}

const parameters = new WeakMap<ts.Node, Found | undefined>();

function remembered(owner: ts.Node, make: () => Found | undefined): Found | undefined {
  if (!parameters.has(owner)) {
    parameters.set(owner, undefined); // a function that calls itself asks for its own
    parameters.set(owner, make());
  }
  return parameters.get(owner);
}

/** The first parameter of a function that an entry of version 2 is handed. */
function ofServedFactory(owner: ts.SignatureDeclaration, facts: Facts): Found | undefined {
  return remembered(owner, () => {
    const [parameter] = owner.parameters;
    if (parameter === undefined) return withParameter(owner, facts, false, { maker: owner });
    if (!ts.isIdentifier(parameter.name) || parameter.initializer !== undefined) return undefined;
    const name = parameter.name.text;
    return found(name, parameter.questionToken !== undefined, [], [], { maker: owner });
  });
}

/** A further parameter of the function that makes the server; optional where somebody else calls it, too. */
function ofMaker(owner: ts.SignatureDeclaration, group: ServerGroup, facts: Facts): Found | undefined {
  return remembered(owner, () => {
    const made = structuresOf(group, facts).flatMap((one) =>
      one.form === 'instance' ? [] : [one.source.made],
    );
    const calls = referencesOf(facts.world).callsOf(owner);
    const isOptional = calls.some((call) => !made.includes(call)) || namedHolder(owner) === undefined;
    return withParameter(owner, facts, isOptional, { maker: owner });
  });
}

/** A function that is called where the context is known. */
function ofCallee(
  owner: ts.SignatureDeclaration,
  group: ServerGroup,
  facts: Facts,
  depth: number,
): Found | undefined {
  return remembered(owner, () => {
    if (namedHolder(owner) === undefined || ts.isMethodDeclaration(owner)) return undefined;
    const calls = referencesOf(facts.world)
      .callsOf(owner)
      .map((call) => ({ call, context: contextAt(call, group, facts, depth - 1) }));
    const handing = calls.flatMap(({ call, context }) => (context === undefined ? [] : [{ call, context }]));
    const [first] = handing;
    if (
      first === undefined ||
      handing.some(({ call }) => (call.arguments ?? []).length !== owner.parameters.length)
    )
      return undefined;
    const isOptional = handing.length < calls.length || handing.some(({ context }) => context.isOptional);
    const own = withParameter(owner, facts, isOptional, first.context.root);
    if (own === undefined) return undefined;
    const passed = handing.map(({ call, context }) => withArgument(call, context.name, facts));
    return {
      ...own,
      edits: [...new Set([...own.edits, ...passed, ...handing.flatMap(({ context }) => context.edits)])],
      imports: [...own.imports, ...handing.flatMap(({ context }) => context.imports)],
    };
  });
}

function found(
  name: string,
  isOptional: boolean,
  edits: readonly FileEdit[],
  imports: readonly ImportNeed[],
  root: ContextRoot,
): Found {
  const era = `${name}${isOptional ? '?' : ''}.${REQUEST_CONTEXT.era}`;
  return { name, era, edits, imports, root, isOptional };
}

/** The type of the context in a file of TypeScript, with the import it needs. */
export function contextType({ file }: SourceUnit, unit: SourceUnit): { text: string; needs: ImportNeed[] } {
  const need = { file, module: V2_SERVER_PACKAGE, name: SERVER_SYMBOL.mcpRequestContext, isType: true };
  return { text: importedName(unit, need), needs: [need] };
}

/** Adds the context behind the parameters that a function has. */
function withParameter(
  owner: ts.SignatureDeclaration,
  facts: Facts,
  isOptional: boolean,
  root: ContextRoot,
): Found | undefined {
  const unit = facts.unitOf(owner);
  const last = owner.parameters.at(-1);
  if (last?.dotDotDotToken !== undefined) return undefined;
  const name = contextName(unit);
  const isInline = ts.isArrowFunction(owner) && namedHolder(owner) === undefined;
  const isTyped = isTypeScriptFile(unit.file) && !isInline;
  const type = contextType(unit, unit);
  const text = isTyped ? `${name}${isOptional ? '?' : ''}: ${type.text}` : name;
  const place = last === undefined ? placeOfFirst(owner, unit) : last.end;
  if (place === undefined) return undefined;
  const reason = 'the context that tells the era';
  const isBare = last !== undefined && !/[,)]/.test(unit.text.slice(last.end).trimStart().charAt(0));
  const whole = last === undefined && text === name ? bareParentheses(owner, unit) : undefined;
  if (whole !== undefined)
    return found(name, isOptional, [{ file: unit.file, ...whole, text, reason }], [], root);
  const edits: FileEdit[] = isBare
    ? [{ file: unit.file, start: last.pos, end: last.end, text: `(${last.getText()}, ${text})`, reason }]
    : [{ file: unit.file, start: place, end: place, text: last === undefined ? text : `, ${text}`, reason }];
  return found(name, isOptional, edits, isTyped ? type.needs : [], root);
}

/** The empty parentheses of an arrow function, in a file that writes the only parameter of one without them. */
function bareParentheses(
  owner: ts.SignatureDeclaration,
  { tree, text }: SourceUnit,
): { start: number; end: number } | undefined {
  const start = (placeOfFirst(owner, { tree }) ?? 0) - 1;
  const close = text.indexOf(')', start);
  const isEmpty = ts.isArrowFunction(owner) && /^\(\s*\)$/.test(text.slice(start, close + 1));
  return isEmpty && BARE_PARAMETER.test(text) ? { start, end: close + 1 } : undefined;
}

const BARE_PARAMETER = /(?:[(,=:?]\s*|\basync\s+|\breturn\s+)[A-Za-z_$][\w$]*\s*=>/;

/** Between the parentheses of a function without parameters. */
function placeOfFirst(
  owner: ts.SignatureDeclaration,
  { tree }: Pick<SourceUnit, 'tree'>,
): number | undefined {
  const parenthesis = owner.getChildren(tree).find(({ kind }) => kind === ts.SyntaxKind.OpenParenToken);
  return parenthesis?.end;
}

const passed = new WeakMap<ts.Node, FileEdit>();

function withArgument(call: ts.CallExpression | ts.NewExpression, name: string, facts: Facts): FileEdit {
  const known = passed.get(call);
  if (known !== undefined) return known;
  const unit = facts.unitOf(call);
  const last = call.arguments?.at(-1);
  const start = last?.end ?? call.arguments?.pos ?? call.end;
  const text = last === undefined ? name : `, ${name}`;
  const edit = { file: unit.file, start, end: start, text, reason: 'hands the context on' };
  passed.set(call, edit);
  return edit;
}

const roots = new WeakMap<ServerGroup, readonly ContextRoot[]>();

/** The places that gates of a server take the context from: those have to have it. */
export function neededContexts(group: ServerGroup, facts: Facts, target: Target): readonly ContextRoot[] {
  if (target !== 'dual') return [];
  const before = roots.get(group);
  if (before !== undefined) return before;
  const gates = publishersOf(facts.world, group).flatMap(({ node }) => gatesAround(facts.world, group, node));
  const needed = gates.flatMap(({ node }) => contextAt(node, group, facts, DEPTH)?.root ?? []);
  roots.set(group, needed);
  return needed;
}
