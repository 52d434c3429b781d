/**
 * The names that rewritten code uses from other modules: what a file calls them, and the edits that bring them in.
 *
 * A codemod says in its outcome what it uses (`imports`) and writes the name that {@link importedName} gives. The edits are
 * made once per file, when all outcomes are known: several codemods want the same import.
 */
import { ts } from 'ts-morph';
import type { SourceUnit } from '../../src/analysis/source-unit.js';
import { endOfLineComment, quoted } from '../../src/codegen/file-style.js';
import { freeName } from '../../src/codegen/names.js';
import { SDK_SCOPE } from '../../src/protocol/index.js';
import type { FileEdit } from '../codemod.js';
import { importFormOf, newImport } from '../import-places.js';
import { importsOf, type ImportBinding, type ImportStatement } from './import-bindings.js';

/** A name that rewritten code uses from another module. */
export interface ImportNeed {
  /** The file that uses it. */
  readonly file: string;
  /** The module as this file spells it. */
  readonly module: string;
  readonly name: string;
  /** Whether it is used as a type alone. */
  readonly isType?: boolean;
}

type Wanted = Omit<ImportNeed, 'file'>;

/** What a file calls an exported name: by the import that it has already, else the name itself where that is free. */
export function importedName(unit: SourceUnit, need: Wanted): string {
  const known = knownName(unit, need);
  if (known !== undefined) return known;
  if (bindsWhole(unit, need)) return `${moduleName(unit, need.module)}.${need.name}`;
  return localName(unit, need);
}

function knownName(unit: SourceUnit, { module, name, isType = false }: Wanted): string | undefined {
  const bindings = importsOf(unit.tree)
    .filter((one) => one.module === module)
    .flatMap((one) => one.bindings.filter((binding) => isType || !binding.isType));
  const named = bindings.find(({ imported }) => imported === name);
  if (named !== undefined) return named.local;
  // What `require` gives has no types in TypeScript.
  const whole = bindings.find(
    ({ imported, list }) => imported === '*' && !(isType && list.form === 'require'),
  );
  return whole === undefined ? undefined : `${whole.local}.${name}`;
}

/** `import sdk = require('…')` binds the module; types come by `import type` all the same. */
function bindsWhole(unit: SourceUnit, { isType = false }: Wanted): boolean {
  return !isType && importFormOf(unit) === 'equals';
}

function localName(unit: SourceUnit, { name }: Wanted): string {
  return freeName([name], isTakenIn(unit.tree));
}

/** `mcpServerStdio` for `@modelcontextprotocol/server/stdio` */
function moduleName(unit: SourceUnit, module: string): string {
  const words = module
    .replace(SDK_SCOPE, 'mcp-')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  const [first = 'mcp', ...others] = words;
  const name = first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return freeName([name], isTakenIn(unit.tree));
}

const namesByTree = new WeakMap<ts.SourceFile, Set<string>>();

/** Whether a name means anything in a file; what follows a dot or stands before a colon does not count. */
export function isTakenIn(tree: ts.SourceFile): (name: string) => boolean {
  const names = namesByTree.get(tree) ?? new Set<string>();
  if (!namesByTree.has(tree)) {
    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node) && !isMemberName(node)) names.add(node.text);
      ts.forEachChild(node, visit);
    };
    visit(tree);
    namesByTree.set(tree, names);
  }
  return (name) => names.has(name);
}

function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  const isMember =
    ts.isPropertyAccessExpression(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isClassElement(parent) ||
    ts.isTypeElement(parent);
  return isMember && parent.name === node;
}

/**
 * The edits that bring in what a file needs, and take out what it does not use any more.
 *
 * @param gone the names that nothing in the file uses any more
 */
export function importEdits(
  unit: SourceUnit,
  needs: readonly Wanted[],
  gone: readonly ImportBinding[],
): FileEdit[] {
  const added = new Map<ImportStatement, string[]>();
  const fresh = new Map<string, Wanted[]>();
  for (const need of distinct(needs)) {
    if (knownName(unit, need) !== undefined) continue;
    const joined = bindsWhole(unit, need) ? undefined : statementFor(unit, need);
    if (joined === undefined) fresh.set(need.module, [...(fresh.get(need.module) ?? []), need]);
    else added.set(joined, [...(added.get(joined) ?? []), elementText(unit, need, joined)]);
  }
  const changed = new Set([...added.keys(), ...gone.map(({ list }) => list)]);
  return [
    ...[...changed].flatMap((list) =>
      changedStatement(
        unit,
        list,
        added.get(list) ?? [],
        gone.filter((binding) => binding.list === list),
      ),
    ),
    ...[...fresh].flatMap(([module, own]) => newStatements(unit, module, own)),
  ];
}

/** Each name once; one that is wanted as a value, too, comes as a value. */
function distinct(needs: readonly Wanted[]): Wanted[] {
  const found = new Map<string, Wanted>();
  for (const need of needs) {
    const key = `${need.module}\0${need.name}`;
    const known = found.get(key);
    if (known === undefined || known.isType === true) found.set(key, need);
  }
  return [...found.values()];
}

/** The import of the same module that has room for one more name. */
function statementFor({ tree }: SourceUnit, { module, isType = false }: Wanted): ImportStatement | undefined {
  const candidates = importsOf(tree).filter(
    (one) => one.module === module && one.form !== 'equals' && hasRoom(one),
  );
  if (!isType) return candidates.find((one) => !one.isType);
  const declared = candidates.filter(({ form }) => form === 'import');
  return declared.find((one) => one.isType) ?? declared[0];
}

/** A list, or a default import that one can stand beside. */
function hasRoom({ names, isType, form, bindings }: ImportStatement): boolean {
  if (names !== undefined) return true;
  return form === 'import' && !isType && bindings.every(({ imported }) => imported === 'default');
}

function elementText(
  unit: SourceUnit,
  need: Wanted,
  { form, isType }: Pick<ImportStatement, 'form' | 'isType'>,
): string {
  const local = localName(unit, need);
  const as = form === 'require' ? ': ' : ' as ';
  const binding = local === need.name ? local : need.name + as + local;
  return need.isType === true && !isType ? `type ${binding}` : binding;
}

function newStatements(unit: SourceUnit, module: string, needs: readonly Wanted[]): FileEdit[] {
  const { style } = unit;
  const from = quoted(module, style);
  const form = importFormOf(unit);
  const values = needs.filter(({ isType }) => isType !== true);
  const types = needs.filter(({ isType }) => isType === true);
  const listed = (some: readonly Wanted[], as: Pick<ImportStatement, 'form' | 'isType'>): string =>
    some.map((need) => elementText(unit, need, as)).join(', ');
  const texts: string[] = [];
  if (form === 'import' && values.length > 0) {
    texts.push(`import { ${listed(needs, { form, isType: false })} } from ${from}${style.semicolon}`);
  } else {
    if (values.length > 0 && form === 'equals')
      texts.push(`import ${moduleName(unit, module)} = require(${from})${style.semicolon}`);
    else if (values.length > 0) {
      const loader = form === 'require' ? 'require' : 'await import';
      const names = listed(values, { form: 'require', isType: false });
      texts.push(`const { ${names} } = ${loader}(${from})${style.semicolon}`);
    }
    if (types.length > 0)
      texts.push(
        `import type { ${listed(types, { form: 'import', isType: true })} } from ${from}${style.semicolon}`,
      );
  }
  const isOfSdk = (statement: ts.Statement): boolean =>
    importsOf(unit.tree).some((one) => one.statement === statement && one.module.startsWith(SDK_SCOPE));
  return texts.map((text) => newImport(unit, text, 'what the new code uses', isOfSdk));
}

function changedStatement(
  unit: SourceUnit,
  list: ImportStatement,
  added: readonly string[],
  gone: readonly ImportBinding[],
): FileEdit[] {
  if (added.length === 0 && gone.length === list.bindings.length) return [withoutStatement(unit, list)];
  const { names } = list;
  if (names === undefined) return besideDefault(unit, list, added);
  const [first] = list.bindings;
  if (
    added.length === 0 &&
    first?.imported === 'default' &&
    gone.length === names.elements.length &&
    !gone.includes(first)
  )
    return [edit(unit, first.node.end, names.end, '', NOT_USED)];
  const removed = names.elements.filter((element) => gone.some(({ node }) => node === element));
  const replaced = Math.min(added.length, removed.length);
  const edits = removed
    .slice(0, replaced)
    .map((element, index) =>
      edit(unit, element.getStart(unit.tree), element.end, added[index] ?? '', 'what the new code uses'),
    );
  return [
    ...edits,
    ...withoutElements(unit, names.elements, removed.slice(replaced)),
    ...withElements(unit, names.elements, added.slice(replaced)),
    ...withoutDefault(unit, list, gone),
  ];
}

function edit(unit: SourceUnit, start: number, end: number, text: string, reason: string): FileEdit {
  return { file: unit.file, start, end, text, reason };
}

const NOT_USED = 'nothing uses it any more';

/** The statement with the line end in front of it: what comes behind it may be where another import is put. */
function withoutStatement(unit: SourceUnit, { statement }: ImportStatement): FileEdit {
  const { text } = unit;
  const start = statement.getStart(unit.tree);
  const end = endOfLineComment(text, statement.end);
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const isAlone = text.slice(lineStart, start).trim() === '' && /^[ \t]*(\r?\n|$)/.test(text.slice(end));
  if (!isAlone) return edit(unit, start, statement.end, '', NOT_USED);
  if (lineStart > 0) {
    const before = text.slice(0, lineStart).replace(/\r?\n$/, '').length;
    const isBetweenEmptyLines =
      /\n[ \t]*$/.test(text.slice(0, before)) && /^[ \t]*\r?\n[ \t]*\r?\n/.test(text.slice(end));
    const above = isBetweenEmptyLines ? text.slice(0, before).replace(/\r?\n[ \t]*$/, '').length : before;
    return edit(unit, above, end, '', NOT_USED);
  }
  const next = /^[ \t]*\r?\n/.exec(text.slice(end))?.[0].length ?? 0;
  return edit(unit, lineStart, end + next, '', NOT_USED);
}

function besideDefault(
  unit: SourceUnit,
  { bindings }: ImportStatement,
  added: readonly string[],
): FileEdit[] {
  const end = bindings[0]?.node.end;
  if (end === undefined || added.length === 0) return [];
  return [edit(unit, end, end, `, { ${added.join(', ')} }`, 'what the new code uses')];
}

/** `import sdk, { name } from …` without `sdk` */
function withoutDefault(
  unit: SourceUnit,
  { names }: ImportStatement,
  gone: readonly ImportBinding[],
): FileEdit[] {
  const name = gone.find(({ imported, node }) => imported === 'default' && ts.isIdentifier(node))?.node;
  if (name === undefined || names === undefined) return [];
  return [edit(unit, name.getStart(unit.tree), names.getStart(unit.tree), '', NOT_USED)];
}

type Elements = ts.NodeArray<ts.ImportSpecifier> | ts.NodeArray<ts.BindingElement>;

function withElements(unit: SourceUnit, elements: Elements, added: readonly string[]): FileEdit[] {
  const last = elements[elements.length - 1];
  if (added.length === 0) return [];
  const reason = 'what the new code uses';
  if (last === undefined) return [edit(unit, elements.pos, elements.end, ` ${added.join(', ')} `, reason)];
  const { text, style } = unit;
  const lineStart = text.lastIndexOf('\n', last.getStart(unit.tree) - 1) + 1;
  const indent = text.slice(lineStart, last.getStart(unit.tree));
  if (indent.trim() !== '' || lineStart <= last.parent.getStart(unit.tree)) {
    return [edit(unit, last.end, last.end, added.map((name) => `, ${name}`).join(''), reason)];
  }
  const lines = added.map((name) => style.eol + indent + name);
  const comma = elements.hasTrailingComma ? (/^\s*,/.exec(text.slice(last.end))?.[0].length ?? 0) : 0;
  const end = endOfLineComment(text, last.end + comma);
  if (comma > 0) return [edit(unit, end, end, lines.map((line) => `${line},`).join(''), reason)];
  if (end === last.end) return [edit(unit, end, end, lines.map((line) => `,${line}`).join(''), reason)];
  return [edit(unit, last.end, last.end, ',', reason), edit(unit, end, end, lines.join(','), reason)];
}

function withoutElements(
  unit: SourceUnit,
  elements: Elements,
  removed: readonly (ts.ImportSpecifier | ts.BindingElement)[],
): FileEdit[] {
  const all: readonly (ts.ImportSpecifier | ts.BindingElement)[] = elements;
  const isRemoved = (element: ts.ImportSpecifier | ts.BindingElement): boolean => removed.includes(element);
  const lastKept = all.findLastIndex((element) => !isRemoved(element));
  const tail = all.slice(lastKept + 1);
  const edits = all.slice(0, Math.max(lastKept, 0)).flatMap((element, index) => {
    const next = all[index + 1];
    if (!isRemoved(element) || next === undefined) return [];
    return [edit(unit, element.getStart(unit.tree), next.getStart(unit.tree), '', NOT_USED)];
  });
  const [first] = tail;
  const last = tail.at(-1);
  const kept = all[lastKept];
  if (first === undefined || last === undefined) return edits;
  if (kept === undefined) return [edit(unit, first.getStart(unit.tree), last.end, '', NOT_USED)];
  return [...edits, edit(unit, kept.end, last.end, '', NOT_USED)];
}
