/** Which identifiers of the program mean a declaration, under whichever name it was imported. */
import { ts } from 'ts-morph';
import { createCells, type Cell, type Cells } from './cells.js';
import type { ClosedWorld } from './closed-world.js';
import { namesOf, nodesOfInterest, type Name } from './nodes-of-interest.js';
import { accessedMember, dressed, propertyName } from './syntax.js';
import { withoutAlias } from './named-symbol.js';

/** Questions about references. */
export interface References {
  /** The names that mean a cell, its own declaration included. */
  to(cell: Cell): readonly Name[];
  /** Calls of a function, method, constructor or of the variable that holds an arrow function. */
  callsOf(owner: ts.Node): (ts.CallExpression | ts.NewExpression)[];
}

const shared = new WeakMap<ClosedWorld, References>();

/** The references of a program; the index behind them is built once. */
export function referencesOf(world: ClosedWorld): References {
  const known = shared.get(world) ?? createReferences(world, createCells(world));
  shared.set(world, known);
  return known;
}

/** Answers them for one program; the index of names is built when the first question is asked. */
function createReferences(world: ClosedWorld, cells: Cells): References {
  const { checker } = world;
  const names = nameIndex(world);
  const declarations = new Map<Name, readonly ts.Declaration[]>();
  const found = new Map<Cell, readonly Name[]>();

  /** Remembered: analyses of one kind after the other ask for the same cells. */
  function references(cell: Cell): readonly Name[] {
    const known = found.get(cell) ?? findReferences(cell);
    found.set(cell, known);
    return known;
  }

  function findReferences(cell: Cell): Name[] {
    const name = nameOfCell(cell);
    if (name === undefined) return [];
    return names.withName(cell, name).filter((identifier) => refersTo(identifier, cell));
  }

  function refersTo(identifier: Name, cell: Cell): boolean {
    const { parent } = identifier;
    if (ts.isBindingElement(parent) && ts.isObjectBindingPattern(parent.parent) && parent !== cell) {
      // The name in a pattern is a property's as much as the variable's.
      const name = propertyName(parent.propertyName ?? parent.name);
      const isKey = (parent.propertyName ?? parent.name) === identifier;
      return (
        isKey &&
        name !== undefined &&
        cells.ofProperty(checker.getTypeAtLocation(parent.parent), name).includes(cell)
      );
    }
    if (ts.isShorthandPropertyAssignment(parent) && parent.name === identifier) {
      return (
        cells.ofSymbol(checker.getShorthandAssignmentValueSymbol(parent)).includes(cell) || parent === cell
      );
    }
    return declarationsBehind(identifier).includes(cell as ts.Declaration);
  }

  /** Remembered: a name such as `client` is asked about once for every client of the program. */
  function declarationsBehind(identifier: Name): readonly ts.Declaration[] {
    const known = declarations.get(identifier);
    if (known !== undefined) return known;
    const meant = withoutAlias(checker.getSymbolAtLocation(identifier), checker)?.declarations ?? [];
    declarations.set(identifier, meant);
    return meant;
  }

  /** Calls of a function, method, constructor or of the variable that holds an arrow function. */
  function callsOf(owner: ts.Node): (ts.CallExpression | ts.NewExpression)[] {
    const named = namedHolder(owner);
    if (named === undefined) return [];
    const calls: (ts.CallExpression | ts.NewExpression)[] = [];
    for (const reference of references(named)) {
      const access =
        ts.isPropertyAccessExpression(reference.parent) && reference.parent.name === reference
          ? reference.parent
          : reference;
      const callee = dressed(access);
      const call = callee.parent;
      if ((ts.isCallExpression(call) || ts.isNewExpression(call)) && call.expression === callee)
        calls.push(call);
    }
    return calls;
  }

  return { to: references, callsOf };
}

/** The declaration whose name a function is called by. */
export function namedHolder(owner: ts.Node): ts.Node | undefined {
  if (ts.isConstructorDeclaration(owner)) return owner.parent;
  if ((ts.isFunctionDeclaration(owner) || ts.isMethodDeclaration(owner)) && owner.name !== undefined)
    return owner;
  if (ts.isMethodSignature(owner)) return owner;
  const holder = dressed(owner).parent;
  if (ts.isVariableDeclaration(holder) || ts.isPropertyDeclaration(holder) || ts.isPropertyAssignment(holder))
    return holder;
  // const connect = useCallback(async () => …, []) and memoised functions alike
  if (
    ts.isCallExpression(holder) &&
    holder.arguments[0] === dressed(owner) &&
    ts.isVariableDeclaration(holder.parent)
  ) {
    return holder.parent;
  }
  return undefined;
}

function nameOfCell(cell: Cell): string | undefined {
  if (ts.isBinaryExpression(cell)) {
    const left = accessedMember(cell.left);
    return left?.member;
  }
  if (ts.isExportAssignment(cell)) return 'default';
  if (ts.isPropertyAccessExpression(cell)) return cell.name.text;
  const name = (cell as ts.NamedDeclaration).name;
  if (
    name === undefined ||
    !(ts.isIdentifier(name) || ts.isPrivateIdentifier(name) || ts.isStringLiteral(name))
  )
    return undefined;
  return name.text;
}

/** Identifiers of the program by text, with the other names a declaration is imported or exported under. */
function nameIndex(world: ClosedWorld): {
  withName(cell: Cell, name: string): Name[];
} {
  let otherNames: Map<ts.Node, Set<string>> | undefined;

  function findOtherNames(): Map<ts.Node, Set<string>> {
    const found = new Map<ts.Node, Set<string>>();
    for (const file of world.sourceFiles) {
      for (const name of nodesOfInterest(file).names) noteAlias(name, found);
    }
    return found;
  }

  function noteAlias(node: Name, found: Map<ts.Node, Set<string>>): void {
    const { parent } = node;
    const isAlias =
      (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isImportClause(parent)) &&
      parent.name === node;
    if (!isAlias) return;
    const symbol = world.checker.getSymbolAtLocation(node);
    if (symbol === undefined || !(symbol.flags & ts.SymbolFlags.Alias)) return;
    for (const declaration of world.checker.getAliasedSymbol(symbol).declarations ?? []) {
      const known = found.get(declaration) ?? new Set<string>();
      known.add(node.text);
      found.set(declaration, known);
    }
  }

  return {
    withName(cell, name) {
      otherNames ??= findOtherNames();
      const texts = new Set([name, ...(otherNames.get(cell) ?? [])]);
      return [...texts].flatMap((text) => namesOf(world).get(text) ?? []);
    },
  };
}
