/** One module as the wire codemods read it: its text, its tree by jscodeshift's definitions, and who stands around whom. */
import type { JSCodeshift } from 'jscodeshift';
import { readFileStyle, type FileStyle } from '../../src/codegen/file-style.js';
import { nodesByType, type NodeType } from './nodes-by-type.js';
import { child, childrenOf, isFunction, isNode, list, nameOf, stringOf, type Node } from './tree.js';

/** A parsed module. */
export interface WireModule {
  readonly path: string;
  readonly text: string;
  readonly style: FileStyle;
  readonly program: Node;
  /** The nodes of the given types, in the order of the text. */
  of(...types: readonly NodeType[]): readonly Node[];
  parentOf(node: Node): Node | undefined;
  /** What stands around a node, from the inside out. */
  ancestorsOf(node: Node): Node[];
  textOf(node: Node): string;
  /** What an analysis found before, so that codemods of one module share it. */
  remember<T>(key: symbol, make: (module: WireModule) => T): T;
}

/** A parser as jscodeshift uses them. */
export interface Parser {
  parse(text: string): unknown;
}

/**
 * Reads a module; undefined where it does not parse.
 *
 * The text is parsed by us and handed to jscodeshift as a tree: given a text, it would first rewrite tabs and line ends,
 * and no position would fit any more.
 */
export function readWireModule(
  path: string,
  text: string,
  j: JSCodeshift,
  parsers: readonly Parser[],
): WireModule | undefined {
  for (const parser of parsers) {
    try {
      const tree = parser.parse(text);
      if (isNode(tree)) return createModule(path, text, j, tree);
    } catch {
      // the next parser may know the syntax
    }
  }
  return undefined;
}

function createModule(path: string, text: string, j: JSCodeshift, tree: Node): WireModule {
  const program = tree.type === 'File' ? (child(tree, 'program') ?? tree) : tree;
  const found = new Map<string, readonly Node[]>();
  const remembered = new Map<symbol, unknown>();
  let byType: ReadonlyMap<NodeType, readonly Node[]> | undefined;
  let parents: WeakMap<Node, Node> | undefined;
  let style: FileStyle | undefined;
  const module: WireModule = {
    path,
    text,
    program,
    get style() {
      style ??= readFileStyle(text);
      return style;
    },
    of(...types) {
      const key = types.join();
      const known = found.get(key);
      if (known !== undefined) return known;
      const index = (byType ??= nodesByType(program, j));
      const nodes = new Set(types.flatMap((type) => index.get(type) ?? []));
      const sorted = [...nodes].sort((a, b) => a.start - b.start || b.end - a.end);
      found.set(key, sorted);
      return sorted;
    },
    parentOf(node) {
      parents ??= parentsIn(program);
      return parents.get(node);
    },
    ancestorsOf(node) {
      const ancestors: Node[] = [];
      for (let at = module.parentOf(node); at !== undefined; at = module.parentOf(at)) ancestors.push(at);
      return ancestors;
    },
    textOf: (node) => text.slice(node.start, node.end),
    remember<T>(key: symbol, make: (module: WireModule) => T): T {
      if (!remembered.has(key)) remembered.set(key, make(module));
      return remembered.get(key) as T;
    },
  };
  return module;
}

function parentsIn(program: Node): WeakMap<Node, Node> {
  const parents = new WeakMap<Node, Node>();
  const visit = (node: Node): void => {
    for (const inner of childrenOf(node)) {
      parents.set(inner, node);
      visit(inner);
    }
  };
  visit(program);
  return parents;
}

/** The calls of a module. */
export function callsOf(module: WireModule): readonly Node[] {
  return module.of('CallExpression', 'OptionalCallExpression');
}

/** The texts that a module spells as whole strings, with their nodes. */
export function stringsOf(module: WireModule): readonly { readonly node: Node; readonly value: string }[] {
  return module.of('Literal', 'StringLiteral', 'TemplateLiteral').flatMap((node) => {
    const value = stringOf(node);
    return value === undefined ? [] : [{ node, value }];
  });
}

/** The function around a node. */
export function functionAround(module: WireModule, node: Node): Node | undefined {
  return module.ancestorsOf(node).find(isFunction);
}

/** The class around a node. */
export function classAround(module: WireModule, node: Node): Node | undefined {
  return module
    .ancestorsOf(node)
    .find(({ type }) => type === 'ClassDeclaration' || type === 'ClassExpression');
}

const LISTS = ['body', 'consequent'] as const;

/** The list of statements that a statement stands in. */
export function siblingsOf(module: WireModule, statement: Node): Node[] | undefined {
  const parent = module.parentOf(statement);
  if (parent === undefined) return undefined;
  for (const field of LISTS) {
    if (!Array.isArray(parent[field])) continue;
    const siblings = list(parent, field);
    if (siblings.includes(statement)) return siblings;
  }
  return undefined;
}

/** The statement of a list of statements that a node is part of; a member of a class counts as one. */
export function statementAround(module: WireModule, node: Node): Node {
  let at = node;
  for (const around of [node, ...module.ancestorsOf(node)]) {
    at = around;
    if (siblingsOf(module, around) !== undefined) return around;
  }
  return at;
}

/** The name that an import gives to what a module exports; `*` and `default` as they are. */
export interface Imported {
  readonly from: string;
  readonly name: string;
}

const IMPORTS = Symbol('imports');

/** What an identifier is imported as: by `import`, or by `require` into a constant. */
export function importOf(module: WireModule, identifier: Node): Imported | undefined {
  const name = nameOf(identifier);
  return name === undefined ? undefined : module.remember(IMPORTS, importsOf).get(name);
}

/** By local name; of two of a name the first one, and an `import` before a `require`. */
function importsOf(module: WireModule): ReadonlyMap<string, Imported> {
  const found = new Map<string, Imported>();
  const note = (local: Node | undefined, imported: Imported): void => {
    const name = nameOf(local);
    if (name !== undefined && !found.has(name)) found.set(name, imported);
  };
  for (const declaration of module.of('ImportDeclaration')) {
    const from = stringOf(child(declaration, 'source'));
    if (from === undefined) continue;
    for (const specifier of list(declaration, 'specifiers')) {
      const imported = child(specifier, 'imported');
      const kind = specifier.type === 'ImportDefaultSpecifier' ? 'default' : '*';
      note(child(specifier, 'local'), { from, name: nameOf(imported) ?? stringOf(imported) ?? kind });
    }
  }
  for (const declarator of module.of('VariableDeclarator')) {
    const from = requiredBy(child(declarator, 'init'));
    if (from === undefined) continue;
    const id = child(declarator, 'id');
    note(id, { from: from.module, name: from.member ?? '*' });
    for (const property of list(id, 'properties'))
      note(child(property, 'value'), { from: from.module, name: nameOf(child(property, 'key')) ?? '*' });
  }
  return found;
}

/** `require('node:http')`, `require('undici').fetch` */
function requiredBy(
  init: Node | undefined,
): { readonly module: string; readonly member?: string } | undefined {
  if (init === undefined) return undefined;
  if (init.type === 'MemberExpression') {
    const inner = requiredBy(child(init, 'object'));
    const member = nameOf(child(init, 'property'));
    return inner === undefined || member === undefined ? inner : { ...inner, member };
  }
  if (init.type !== 'CallExpression' || nameOf(child(init, 'callee')) !== 'require') return undefined;
  const from = stringOf(list(init, 'arguments')[0]);
  return from === undefined ? undefined : { module: from };
}
