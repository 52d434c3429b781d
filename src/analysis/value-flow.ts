/**
 * Which places of a program can hold the same client.
 *
 * A **cell** is a declaration (or a `new` expression) whose value may be a client: a variable, a parameter, a property,
 * the result of a function, a container as a whole. Cells between which a value can pass are united, without regard
 * to order or to which call it was: the result may be too large, never too small, so that "nothing else reaches this
 * client" can be relied on. Where a value leaves for code that is out of sight, that is recorded as an escape.
 */
import { ts } from 'ts-morph';
import type { ClosedWorld } from './closed-world.js';
import { mayHoldClient } from './receivers.js';
import { accessedMember, dressed, enclosingFunction, peel, propertyName } from './syntax.js';

/** A declaration or expression that may hold a client. */
export type Cell = ts.Node;

/** A member taken from a value of a group: `client.ping`, called or not. */
export interface MemberUse {
  readonly access: ts.PropertyAccessExpression | ts.ElementAccessExpression;
  readonly member: string;
}

/** Cells that can hold the same client, and what is done with it. */
export interface ValueGroup {
  readonly cells: readonly Cell[];
  readonly members: readonly MemberUse[];
  /** Expressions by which the client goes where this analysis cannot follow. */
  readonly escapes: readonly ts.Node[];
  /** Cells whose values come from out of sight: a parameter nobody in sight passes, a property nobody sets. */
  readonly origins: readonly Cell[];
}

/** Methods whose result is what their callback returns, and not what they were called on. */
const MAPPING_METHODS = new Set(['map', 'flatMap', 'then', 'reduce']);

/** A function that takes a client and is no escape (the managed stream's factory). */
export type KnownConsumer = (call: ts.CallExpression) => boolean;

/** Follows values from the given expressions (receivers and creations) through the program. */
export function traceValues(
  world: ClosedWorld,
  seeds: readonly ts.Expression[],
  isConsumer: KnownConsumer,
): Map<ts.Expression, ValueGroup> {
  const { checker } = world;
  const parents = new Map<Cell, Cell>();
  const members = new Map<Cell, Map<ts.Node, MemberUse>>();
  const escapes = new Map<Cell, ts.Node[]>();
  const origins = new Set<Cell>();
  const queue: Cell[] = [];
  const names = nameIndex(world);

  function root(cell: Cell): Cell {
    let current = cell;
    for (let parent = parents.get(current); parent !== undefined && parent !== current; parent = parents.get(current)) {
      current = parent;
    }
    return current;
  }

  function unite(one: Cell, other: Cell): void {
    if (one !== other && (!mayHold(one) || !mayHold(other))) return;
    for (const cell of [one, other]) {
      if (parents.has(cell)) continue;
      parents.set(cell, cell);
      queue.push(cell);
    }
    const [first, second] = [root(one), root(other)];
    if (first !== second) parents.set(second, first);
  }

  function uniteAll(cell: Cell, others: readonly Cell[]): void {
    for (const other of others) unite(cell, other);
  }

  /** Keeps values apart that only meet in a container: a tuple's other part, a callback's own result. */
  function mayHold(cell: Cell): boolean {
    return ts.isFunctionLike(cell) || mayHoldClient(world, checker.getTypeAtLocation(cell));
  }

  /** The cells that hold the value of an expression; none where it comes from out of sight. */
  function cellsOf(expression: ts.Expression): Cell[] {
    const inner = peel(expression);
    if (ts.isIdentifier(inner)) return valueDeclarations(checker.getSymbolAtLocation(inner));
    if (inner.kind === ts.SyntaxKind.ThisKeyword) {
      const declaration = checker.getTypeAtLocation(inner).symbol?.declarations?.[0];
      return declaration !== undefined && ts.isClassLike(declaration) ? [declaration] : [];
    }
    const accessed = accessedMember(inner);
    if (accessed !== undefined) {
      const name = ts.isPropertyAccessExpression(inner) ? inner.name : (inner as ts.ElementAccessExpression).argumentExpression;
      const declarations = checker.getSymbolAtLocation(name)?.declarations ?? [];
      if (declarations.some((declaration) => world.isOurs(declaration))) return cellsOf(accessed.access.expression);
      return declarations.filter((declaration) => !ts.isFunctionLike(declaration) || ts.isAccessor(declaration));
    }
    if (ts.isElementAccessExpression(inner)) return cellsOf(inner.expression);
    if (ts.isAwaitExpression(inner)) return cellsOf(inner.expression);
    if (ts.isConditionalExpression(inner)) return [...cellsOf(inner.whenTrue), ...cellsOf(inner.whenFalse)];
    if (ts.isBinaryExpression(inner)) return cellsOfBinary(inner);
    if (ts.isArrayLiteralExpression(inner)) return inner.elements.flatMap((element) => cellsOf(element));
    if (ts.isSpreadElement(inner)) return cellsOf(inner.expression);
    if (ts.isNewExpression(inner)) return cellsOfNew(inner);
    if (ts.isCallExpression(inner)) return cellsOfCall(inner);
    return [];
  }

  function cellsOfBinary(node: ts.BinaryExpression): Cell[] {
    switch (node.operatorToken.kind) {
      case ts.SyntaxKind.CommaToken:
        return cellsOf(node.right);
      case ts.SyntaxKind.BarBarToken:
      case ts.SyntaxKind.QuestionQuestionToken:
      case ts.SyntaxKind.AmpersandAmpersandToken:
      case ts.SyntaxKind.EqualsToken:
      case ts.SyntaxKind.QuestionQuestionEqualsToken:
      case ts.SyntaxKind.BarBarEqualsToken:
        return [...cellsOf(node.left), ...cellsOf(node.right)];
      default:
        return [];
    }
  }

  function cellsOfNew(node: ts.NewExpression): Cell[] {
    const declaration = checker.getTypeAtLocation(node).symbol?.declarations?.[0];
    if (declaration !== undefined && world.isOurs(declaration) && !world.isSdk(declaration)) {
      return (node.arguments ?? []).flatMap((argument) => cellsOf(argument)); // new Map([[name, client]])
    }
    return declaration !== undefined && ts.isClassLike(declaration) && !world.isOurs(declaration)
      ? [node, declaration]
      : [node];
  }

  function cellsOfCall(node: ts.CallExpression): Cell[] {
    const declaration = declarationOfCall(node);
    if (declaration === undefined) return [];
    if (!world.isOurs(declaration)) return [declaration];
    const callee = peel(node.expression);
    const handsOn = ts.isPropertyAccessExpression(callee) && !MAPPING_METHODS.has(callee.name.text);
    const receiver = handsOn ? cellsOf(callee.expression) : [];
    return [...receiver, ...node.arguments.flatMap((argument) => valuesOfArgument(argument))];
  }

  /** What a container's method can hand on from an argument: the value itself, or what a callback returns. */
  function valuesOfArgument(argument: ts.Expression): Cell[] {
    const inner = peel(argument);
    return ts.isArrowFunction(inner) || ts.isFunctionExpression(inner) ? [inner] : cellsOf(inner);
  }

  function declarationOfCall(node: ts.CallExpression | ts.NewExpression): ts.SignatureDeclaration | undefined {
    const declaration = checker.getResolvedSignature(node)?.declaration;
    return declaration === undefined || ts.isJSDocSignature(declaration) ? undefined : declaration;
  }

  function valueDeclarations(symbol: ts.Symbol | undefined): Cell[] {
    if (symbol === undefined) return [];
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return (target.declarations ?? []).filter(
      (declaration) =>
        !world.isOurs(declaration) &&
        (ts.isVariableDeclaration(declaration) ||
          ts.isBindingElement(declaration) ||
          ts.isParameter(declaration) ||
          ts.isExportAssignment(declaration) ||
          ts.isPropertyAssignment(declaration) ||
          ts.isShorthandPropertyAssignment(declaration) ||
          ts.isBinaryExpression(declaration)),
    );
  }

  /** Declarations of a property by name in the type of a node. */
  function propertyCells(type: ts.Type | undefined, name: string): Cell[] {
    if (type === undefined) return [];
    const holders = type.isUnion() ? type.types : [type];
    return holders
      .flatMap((holder) => checker.getPropertyOfType(checker.getNonNullableType(holder), name)?.declarations ?? [])
      .filter((declaration) => !world.isOurs(declaration) && !ts.isMethodDeclaration(declaration));
  }

  // ── Where the value of a cell comes from ────────────────────────────────────────────────────────────────────────

  function followSources(cell: Cell): void {
    if (ts.isVariableDeclaration(cell)) {
      followVariable(cell);
    } else if (ts.isBindingElement(cell)) {
      followBindingElement(cell);
    } else if (ts.isParameter(cell)) {
      followParameter(cell);
    } else if (ts.isPropertyDeclaration(cell) || ts.isPropertyAssignment(cell)) {
      if (cell.initializer !== undefined) uniteAll(cell, cellsOf(cell.initializer));
      if (ts.isPropertyAssignment(cell)) followContextualProperty(cell);
    } else if (ts.isShorthandPropertyAssignment(cell)) {
      uniteAll(cell, valueDeclarations(checker.getShorthandAssignmentValueSymbol(cell)));
      followContextualProperty(cell);
    } else if (ts.isBinaryExpression(cell)) {
      uniteAll(cell, cellsOf(cell.right));
    } else if (ts.isExportAssignment(cell)) {
      uniteAll(cell, cellsOf(cell.expression));
    } else if (ts.isFunctionLike(cell)) {
      for (const returned of returnedExpressions(cell)) uniteAll(cell, cellsOf(returned));
    }
  }

  function followVariable(cell: ts.VariableDeclaration): void {
    const loop = cell.parent.parent;
    if (ts.isForOfStatement(loop)) uniteAll(cell, cellsOf(loop.expression));
    else if (cell.initializer !== undefined) uniteAll(cell, cellsOf(cell.initializer));
  }

  function followBindingElement(cell: ts.BindingElement): void {
    if (cell.initializer !== undefined) uniteAll(cell, cellsOf(cell.initializer));
    const pattern = cell.parent;
    if (ts.isObjectBindingPattern(pattern)) {
      const name = propertyName(cell.propertyName ?? (cell.name as ts.BindingName));
      if (name !== undefined) uniteAll(cell, propertyCells(checker.getTypeAtLocation(pattern), name));
      return;
    }
    let holder: ts.Node = pattern.parent;
    while (ts.isBindingElement(holder)) holder = holder.parent.parent;
    if (ts.isVariableDeclaration(holder)) {
      const loop = holder.parent.parent;
      const source = ts.isForOfStatement(loop) ? loop.expression : holder.initializer;
      if (source !== undefined) uniteAll(cell, cellsOf(source));
      followStateSetter(cell, holder);
    } else if (ts.isParameter(holder)) {
      unite(cell, holder);
    }
  }

  /** `const [client, setClient] = useState()`: what is handed to the setter becomes the value. */
  function followStateSetter(cell: ts.BindingElement, variable: ts.VariableDeclaration): void {
    const pattern = variable.name;
    if (!ts.isArrayBindingPattern(pattern) || pattern.elements.length !== 2) return;
    const [value, setter] = pattern.elements;
    if (value !== cell || setter === undefined || !ts.isBindingElement(setter) || !ts.isIdentifier(setter.name)) return;
    const call = variable.initializer === undefined ? undefined : peel(variable.initializer);
    if (call === undefined || !ts.isCallExpression(call)) return;
    for (const reference of references(setter)) {
      const use = dressed(reference);
      if (!ts.isCallExpression(use.parent) || use.parent.expression !== use) continue;
      for (const argument of use.parent.arguments) uniteAll(cell, valuesOfArgument(argument));
    }
  }

  function followParameter(cell: ts.ParameterDeclaration): void {
    if (cell.initializer !== undefined) uniteAll(cell, cellsOf(cell.initializer));
    const owner = cell.parent;
    const index = owner.parameters.indexOf(cell);
    let seen = followCallbackParameter(cell, owner);
    for (const call of callsOf(owner)) {
      seen = true;
      const passed = cell.dotDotDotToken === undefined ? call.arguments?.slice(index, index + 1) : call.arguments?.slice(index);
      for (const argument of passed ?? []) {
        const cells = cellsOf(argument);
        uniteAll(cell, cells);
      }
    }
    if (!seen) origins.add(cell);
  }

  /** `clients.forEach((client) => …)`, `.then((client) => …)`: the container is what the parameter comes from. */
  function followCallbackParameter(cell: Cell, owner: ts.Node): boolean {
    const argument = dressed(owner);
    const call = argument.parent;
    if (!ts.isCallExpression(call) || call.expression === argument) return false;
    const declaration = declarationOfCall(call);
    const callee = peel(call.expression);
    if (declaration === undefined || !world.isOurs(declaration) || !ts.isPropertyAccessExpression(callee)) return false;
    uniteAll(cell, cellsOf(callee.expression));
    return true;
  }

  function followContextualProperty(cell: ts.PropertyAssignment | ts.ShorthandPropertyAssignment): void {
    const name = propertyName(cell.name);
    if (name === undefined) return;
    uniteAll(cell, propertyCells(checker.getContextualType(cell.parent), name));
  }

  // ── Where the value of a cell goes ──────────────────────────────────────────────────────────────────────────────

  function followUses(cell: Cell): void {
    if (ts.isNewExpression(cell)) {
      flowOut(cell, cell);
    } else if (ts.isFunctionLike(cell)) {
      followResult(cell);
    } else if (ts.isClassLike(cell)) {
      followThis(cell);
    } else {
      if (isExported(cell)) escapes.set(cell, [...(escapes.get(cell) ?? []), cell]);
      for (const reference of references(cell)) followReference(cell, reference);
    }
  }

  function followResult(cell: ts.SignatureDeclaration): void {
    if (ts.isAccessor(cell)) {
      for (const reference of references(cell)) followReference(cell, reference);
      return;
    }
    for (const call of callsOf(cell)) if (ts.isCallExpression(call)) flowOut(cell, call);
    // An inline callback's result goes into what the container's method returns.
    const argument = dressed(cell);
    if (ts.isCallExpression(argument.parent) && argument.parent.expression !== argument) {
      const declaration = declarationOfCall(argument.parent);
      if (declaration === undefined) escape(cell, argument);
      else if (world.isOurs(declaration)) flowOut(cell, argument.parent);
    }
    if (isExported(cell)) escapes.set(cell, [...(escapes.get(cell) ?? []), cell]);
  }

  function followThis(cell: ts.ClassLikeDeclaration): void {
    const visit = (node: ts.Node): void => {
      if (node.kind === ts.SyntaxKind.ThisKeyword && cellsOf(node as ts.Expression).includes(cell)) flowOut(cell, node);
      if (!ts.isClassLike(node)) ts.forEachChild(node, visit);
    };
    for (const member of cell.members) ts.forEachChild(member, visit);
  }

  function followReference(cell: Cell, reference: ts.Identifier | ts.PrivateIdentifier): void {
    const parent = reference.parent;
    if (ts.isPropertyAccessExpression(parent) && parent.name === reference) {
      flowOut(cell, parent);
    } else if (ts.isBindingElement(parent)) {
      if (parent !== cell) unite(cell, parent);
    } else if (ts.isShorthandPropertyAssignment(parent)) {
      if (parent !== cell) unite(cell, parent);
    } else if (ts.isExportSpecifier(parent) || ts.isImportSpecifier(parent) || ts.isImportClause(parent)) {
      return;
    } else if ((parent as ts.NamedDeclaration).name === reference && !ts.isJsxAttribute(parent)) {
      return; // a declaration's own name
    } else {
      flowOut(cell, reference);
    }
  }

  function flowOut(cell: Cell, start: ts.Node): void {
    const node = dressed(start);
    const parent = node.parent;
    const accessed = accessedMember(parent);
    if (accessed !== undefined && accessed.access.expression === node) {
      followMember(cell, accessed);
    } else if (ts.isElementAccessExpression(parent) && parent.expression === node) {
      flowOut(cell, parent); // clients[name]
    } else if (ts.isAwaitExpression(parent) || ts.isSpreadElement(parent) || ts.isArrayLiteralExpression(parent)) {
      flowOut(cell, parent);
    } else if (ts.isVariableDeclaration(parent)) {
      followPattern(cell, parent.name, parent);
    } else if (ts.isForOfStatement(parent) && parent.expression === node) {
      const variable = ts.isVariableDeclarationList(parent.initializer) ? parent.initializer.declarations[0] : undefined;
      if (variable !== undefined) followPattern(cell, variable.name, variable);
    } else if (ts.isBinaryExpression(parent)) {
      followBinary(cell, node, parent);
    } else if (ts.isConditionalExpression(parent)) {
      if (parent.condition !== node) flowOut(cell, parent);
    } else if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) {
      if (parent.expression !== node) followArgument(cell, node, parent);
    } else if (ts.isReturnStatement(parent) || ts.isYieldExpression(parent)) {
      const owner = enclosingFunction(parent);
      if (owner !== undefined) unite(cell, owner);
    } else if (ts.isArrowFunction(parent)) {
      unite(cell, parent);
    } else if (ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)) {
      unite(cell, parent);
    } else if (ts.isJsxExpression(parent) || ts.isExportAssignment(parent) || ts.isComputedPropertyName(parent)) {
      escape(cell, node);
    } else if (ts.isParameter(parent) || ts.isBindingElement(parent)) {
      unite(cell, parent);
    }
    // Everything else reads the value and keeps nothing: conditions, typeof, comparisons, templates, statements.
  }

  function followMember(cell: Cell, use: MemberUse): void {
    const name = ts.isPropertyAccessExpression(use.access) ? use.access.name : use.access.argumentExpression;
    const declarations = checker.getSymbolAtLocation(name)?.declarations ?? [];
    const isContainer =
      declarations.length > 0 && declarations.every((declaration) => world.isOurs(declaration) && !world.isSdk(declaration));
    if (!isContainer) {
      const uses = members.get(cell) ?? new Map<ts.Node, MemberUse>();
      uses.set(use.access, use);
      members.set(cell, uses);
      return;
    }
    // A container's method hands its values on: clients.get(name), promise.then(…), clients.values().
    const callee = dressed(use.access);
    if (ts.isCallExpression(callee.parent) && callee.parent.expression === callee) {
      for (const argument of callee.parent.arguments) {
        const inner = peel(argument);
        const first = ts.isArrowFunction(inner) || ts.isFunctionExpression(inner) ? inner.parameters[0] : undefined;
        if (first !== undefined) followPattern(cell, first.name, first);
      }
      if (!MAPPING_METHODS.has(use.member)) flowOut(cell, callee.parent);
    } else {
      flowOut(cell, use.access);
    }
  }

  /** A value bound to a name, or taken apart: a tuple's parts may each be it, an object's parts are its own cells. */
  function followPattern(cell: Cell, name: ts.BindingName, declaration: Cell): void {
    if (ts.isIdentifier(name)) {
      unite(cell, declaration);
    } else if (ts.isArrayBindingPattern(name)) {
      for (const element of name.elements) {
        if (ts.isBindingElement(element)) followPattern(cell, element.name, element);
      }
    }
  }

  function followBinary(cell: Cell, node: ts.Node, parent: ts.BinaryExpression): void {
    switch (parent.operatorToken.kind) {
      case ts.SyntaxKind.EqualsToken:
      case ts.SyntaxKind.QuestionQuestionEqualsToken:
      case ts.SyntaxKind.BarBarEqualsToken:
      case ts.SyntaxKind.AmpersandAmpersandEqualsToken: {
        const other = node === parent.left ? parent.right : parent.left;
        uniteAll(cell, cellsOf(other));
        if (node === parent.right) flowOut(cell, parent);
        return;
      }
      case ts.SyntaxKind.BarBarToken:
      case ts.SyntaxKind.QuestionQuestionToken:
        flowOut(cell, parent);
        return;
      case ts.SyntaxKind.AmpersandAmpersandToken:
      case ts.SyntaxKind.CommaToken:
        if (node === parent.right) flowOut(cell, parent);
        return;
      default:
    }
  }

  function followArgument(cell: Cell, node: ts.Node, call: ts.CallExpression | ts.NewExpression): void {
    if (ts.isCallExpression(call) && isConsumer(call)) return;
    const declaration = declarationOfCall(call);
    if (declaration === undefined) {
      if (!isStateSetter(call)) escape(cell, node);
    } else if (world.isSdk(declaration)) {
      return;
    } else if (world.isOurs(declaration)) {
      const callee = peel(call.expression);
      const holder = ts.isPropertyAccessExpression(callee) ? cellsOf(callee.expression) : [];
      uniteAll(cell, holder);
      flowOut(cell, call);
    } else {
      const index = call.arguments?.findIndex((argument) => argument === node) ?? -1;
      const parameter = declaration.parameters[Math.min(index, declaration.parameters.length - 1)];
      if (index >= 0 && parameter !== undefined && ts.isParameter(parameter)) {
        followPattern(cell, parameter.name, parameter);
      }
    }
  }

  function isStateSetter(call: ts.CallExpression | ts.NewExpression): boolean {
    const callee = peel(call.expression);
    const declaration = ts.isIdentifier(callee) ? checker.getSymbolAtLocation(callee)?.declarations?.[0] : undefined;
    return declaration !== undefined && ts.isBindingElement(declaration) && ts.isArrayBindingPattern(declaration.parent);
  }

  function escape(cell: Cell, node: ts.Node): void {
    escapes.set(cell, [...(escapes.get(cell) ?? []), node]);
  }

  // ── References ──────────────────────────────────────────────────────────────────────────────────────────────────

  function references(cell: Cell): (ts.Identifier | ts.PrivateIdentifier)[] {
    const name = nameOfCell(cell);
    if (name === undefined) return [];
    return names.withName(cell, name).filter((identifier) => refersTo(identifier, cell));
  }

  function refersTo(identifier: ts.Identifier | ts.PrivateIdentifier, cell: Cell): boolean {
    const { parent } = identifier;
    if (ts.isBindingElement(parent) && ts.isObjectBindingPattern(parent.parent) && parent !== cell) {
      // The name in a pattern is a property's as much as the variable's.
      const name = propertyName(parent.propertyName ?? (parent.name as ts.BindingName));
      const isKey = (parent.propertyName ?? parent.name) === identifier;
      return isKey && name !== undefined && propertyCells(checker.getTypeAtLocation(parent.parent), name).includes(cell);
    }
    if (ts.isShorthandPropertyAssignment(parent) && parent.name === identifier) {
      return valueDeclarations(checker.getShorthandAssignmentValueSymbol(parent)).includes(cell) || parent === cell;
    }
    const symbol = checker.getSymbolAtLocation(identifier);
    if (symbol === undefined) return false;
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return target.declarations?.includes(cell as ts.Declaration) ?? false;
  }

  /** Calls of a function, method, constructor or of the variable that holds an arrow function. */
  function callsOf(owner: ts.Node): (ts.CallExpression | ts.NewExpression)[] {
    const named = namedHolder(owner);
    if (named === undefined) return [];
    const calls: (ts.CallExpression | ts.NewExpression)[] = [];
    for (const reference of references(named)) {
      const access = ts.isPropertyAccessExpression(reference.parent) && reference.parent.name === reference ? reference.parent : reference;
      const callee = dressed(access);
      const call = callee.parent;
      if ((ts.isCallExpression(call) || ts.isNewExpression(call)) && call.expression === callee) calls.push(call);
    }
    return calls;
  }

  // ── Run ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  const seedCells = new Map<ts.Expression, Cell>();
  for (const seed of seeds) {
    const cells = cellsOf(seed);
    const first = cells[0] ?? seed;
    seedCells.set(seed, first);
    unite(first, first);
    uniteAll(first, cells);
    if (cells.length === 0) {
      origins.add(first);
      flowOut(first, seed);
    }
  }
  for (let cell = queue.pop(); cell !== undefined; cell = queue.pop()) {
    followSources(cell);
    followUses(cell);
  }

  interface Gathered {
    readonly cells: Cell[];
    readonly members: Map<ts.Node, MemberUse>;
    readonly escapes: Set<ts.Node>;
    readonly origins: Cell[];
  }
  const groups = new Map<Cell, Gathered>();
  for (const cell of parents.keys()) {
    const key = root(cell);
    const group: Gathered = groups.get(key) ?? { cells: [], members: new Map(), escapes: new Set(), origins: [] };
    groups.set(key, group);
    group.cells.push(cell);
    for (const [node, use] of members.get(cell) ?? []) group.members.set(node, use);
    for (const node of escapes.get(cell) ?? []) group.escapes.add(node);
    if (origins.has(cell)) group.origins.push(cell);
  }
  const finished = new Map<Cell, ValueGroup>();
  for (const [key, group] of groups) {
    finished.set(key, { cells: group.cells, members: [...group.members.values()], escapes: [...group.escapes], origins: group.origins });
  }
  return new Map([...seedCells].map(([seed, cell]) => [seed, finished.get(root(cell)) as ValueGroup]));
}

/** The declaration whose name a function is called by. */
function namedHolder(owner: ts.Node): ts.Node | undefined {
  if (ts.isConstructorDeclaration(owner)) return owner.parent;
  if ((ts.isFunctionDeclaration(owner) || ts.isMethodDeclaration(owner)) && owner.name !== undefined) return owner;
  if (ts.isMethodSignature(owner)) return owner;
  const holder = dressed(owner).parent;
  if (ts.isVariableDeclaration(holder) || ts.isPropertyDeclaration(holder) || ts.isPropertyAssignment(holder)) return holder;
  // const connect = useCallback(async () => …, []) and memoised functions alike
  if (ts.isCallExpression(holder) && holder.arguments[0] === dressed(owner) && ts.isVariableDeclaration(holder.parent)) {
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
  if (name === undefined || !(ts.isIdentifier(name) || ts.isPrivateIdentifier(name) || ts.isStringLiteral(name))) return undefined;
  return name.text;
}

/** Whether code outside the candidate files can name this declaration. */
function isExported(cell: Cell): boolean {
  const statement = ts.isVariableDeclaration(cell) ? cell.parent.parent : cell;
  return (
    ts.canHaveModifiers(statement) &&
    (ts.getModifiers(statement)?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword) ?? false)
  );
}

/** What a function returns, without the functions inside it. */
export function returnedExpressions(owner: ts.SignatureDeclaration): ts.Expression[] {
  const body = (owner as ts.FunctionLikeDeclaration).body;
  if (body === undefined) return [];
  if (!ts.isBlock(body)) return [body as ts.Expression];
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isReturnStatement(node) || ts.isYieldExpression(node)) && node.expression !== undefined) found.push(node.expression);
    if (!ts.isFunctionLike(node) && !ts.isClassLike(node)) ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  return found;
}

/** Identifiers of the program by text, with the other names a declaration is imported or exported under. */
function nameIndex(world: ClosedWorld): {
  withName(cell: Cell, name: string): (ts.Identifier | ts.PrivateIdentifier)[];
} {
  let index: Map<string, (ts.Identifier | ts.PrivateIdentifier)[]> | undefined;
  let otherNames: Map<ts.Node, Set<string>> | undefined;

  function build(): void {
    index = new Map();
    otherNames = new Map();
    for (const file of world.sourceFiles) ts.forEachChild(file, visit);
  }

  function visit(node: ts.Node): void {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      const list = index?.get(node.text) ?? [];
      list.push(node);
      index?.set(node.text, list);
      noteAlias(node);
    }
    ts.forEachChild(node, visit);
  }

  function noteAlias(node: ts.Identifier | ts.PrivateIdentifier): void {
    const { parent } = node;
    const isAlias = (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isImportClause(parent)) && parent.name === node;
    if (!isAlias) return;
    const symbol = world.checker.getSymbolAtLocation(node);
    if (symbol === undefined || !(symbol.flags & ts.SymbolFlags.Alias)) return;
    for (const declaration of world.checker.getAliasedSymbol(symbol).declarations ?? []) {
      const known = otherNames?.get(declaration) ?? new Set<string>();
      known.add(node.text);
      otherNames?.set(declaration, known);
    }
  }

  return {
    withName(cell, name) {
      if (index === undefined) build();
      const texts = new Set([name, ...(otherNames?.get(cell) ?? [])]);
      return [...texts].flatMap((text) => index?.get(text) ?? []);
    },
  };
}
