/**
 * Changes entries of a package.json in place: what is not changed keeps its bytes, its order and its layout.
 */
import { applyEdits, findNodeAtLocation, modify, type Node, parseTree } from 'jsonc-parser';

/** What leaves one object of a package.json, and what comes into it. */
export interface EntryChange {
  /** Key of the object: `devDependencies`. */
  readonly section: string;
  readonly remove: readonly string[];
  /** Names with the JSON text of their values. */
  readonly add: Readonly<Record<string, string>>;
}

/**
 * The text after the changes. New entries go where the order of the names wants them, if the names have one, else
 * where the first removed entry was. An object that is missing or empty follows the layout of the file.
 */
export function changeEntries(text: string, changes: readonly EntryChange[]): string {
  const tree = parseTree(text);
  const objects = changes.flatMap((change) => {
    const object = objectAt(tree, change.section);
    return object === undefined ? [] : [{ object, change }];
  });
  const changed = objects
    .sort((a, b) => b.object.offset - a.object.offset)
    .reduce((result, { object: { offset, length }, change }) => {
      const entries = objectText(text.slice(offset, offset + length), change);
      return result.slice(0, offset) + entries + result.slice(offset + length);
    }, text);
  return changes
    .filter(({ section }) => objectAt(tree, section) === undefined)
    .reduce(withNewEntries, changed);
}

/** The text with entries in an object that is missing or empty. */
function withNewEntries(text: string, { section, add }: EntryChange): string {
  const names = Object.keys(add).sort(byName);
  const indent = /\n([ \t]+)"/.exec(text)?.[1];
  const formattingOptions = {
    insertSpaces: indent?.startsWith('\t') !== true,
    tabSize: indent?.length ?? 2,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  return names.reduce((current, name) => {
    const value: unknown = JSON.parse(add[name] ?? 'null');
    const edits = modify(current, [section, name], value, {
      ...(indent === undefined ? {} : { formattingOptions }),
      getInsertionIndex: (existing) => placeOf(section, existing),
    });
    return applyEdits(current, edits);
  }, text);
}

/** `dependencies` come before those of development; everything else comes last. */
function placeOf(section: string, existing: readonly string[]): number {
  const next = section === 'dependencies' ? existing.indexOf('devDependencies') : -1;
  return next === -1 ? existing.length : next;
}

/** The JSON text of an entry's value, as it is written; undefined where there is no such entry. */
export function entryText(text: string, section: string, name: string): string | undefined {
  const value = nodeAt(parseTree(text), [section, name]);
  return value === undefined ? undefined : text.slice(value.offset, value.offset + value.length);
}

function objectAt(tree: Node | undefined, section: string): Node | undefined {
  const object = nodeAt(tree, [section]);
  return object?.type === 'object' && object.children?.length !== 0 ? object : undefined;
}

function nodeAt(tree: Node | undefined, path: string[]): Node | undefined {
  return tree === undefined ? undefined : findNodeAtLocation(tree, path);
}

/** One entry with the white space before it. */
interface Entry {
  readonly name: string;
  readonly text: string;
  /** Undefined for a new entry. */
  readonly lead: string | undefined;
}

/** @param text an object, from brace to brace, with at least one entry */
function objectText(text: string, { remove, add }: EntryChange): string {
  const { entries, colon, tail } = layoutOf(text);
  const added = Object.entries(add)
    .filter(([name]) => !entries.some((entry) => entry.name === name))
    .map(([name, value]): Entry => ({ name, text: JSON.stringify(name) + colon + value, lead: undefined }));
  const changed = placed(entries, added, remove);
  if (changed.length === 0) return '{}';
  const first = entries[0]?.lead ?? '';
  const inline = first === '' && colon.endsWith(' ') ? ' ' : first;
  const others = entries[1]?.lead ?? inline;
  const parts = changed.map((entry, index) => {
    if (index === 0) return first + entry.text;
    return (entry.lead === undefined || entry === entries[0] ? others : entry.lead) + entry.text;
  });
  return `{${parts.join(',')}${tail}}`;
}

/** The entries as they will be, in their order. */
function placed(entries: readonly Entry[], added: readonly Entry[], remove: readonly string[]): Entry[] {
  const names = entries.map(({ name }) => name);
  const kept = entries.filter(({ name }) => !remove.includes(name));
  const isSorted = names.every((name, index) => index === 0 || byName(names[index - 1] ?? '', name) <= 0);
  if (isSorted) return [...kept, ...added].sort((a, b) => byName(a.name, b.name));
  const place = names.findIndex((name) => remove.includes(name));
  const before = entries.slice(0, place === -1 ? entries.length : place);
  return [...before, ...added, ...kept.filter((entry) => !before.includes(entry))];
}

/** The order in which npm, pnpm and yarn write dependencies. */
function byName(one: string, other: string): number {
  return one.localeCompare(other, 'en');
}

interface Layout {
  readonly entries: readonly Entry[];
  /** What stands between a name and its value. */
  readonly colon: string;
  /** What stands between the last entry and the brace. */
  readonly tail: string;
}

function layoutOf(text: string): Layout {
  const properties = parseTree(text)?.children ?? [];
  const entries: Entry[] = [];
  let end = 1;
  let colon = ': ';
  for (const property of properties) {
    const [key, value] = property.children ?? [];
    if (key === undefined || value === undefined) continue;
    if (entries.length === 0) colon = text.slice(key.offset + key.length, value.offset);
    entries.push({
      name: String(key.value),
      text: text.slice(property.offset, property.offset + property.length),
      lead: text.slice(end, property.offset).replace(',', ''),
    });
    end = property.offset + property.length;
  }
  return { entries, colon, tail: text.slice(end, -1) };
}
