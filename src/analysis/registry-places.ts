/** Where a registry is kept, under whichever names, and everything that is done with it: filled, emptied, read. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from './closed-world.js';
import { createCells, type Cells } from './cells.js';
import { isContainer, isContainerType } from './containers.js';
import { referencesOf } from './references.js';
import { accessedMember, dressed, enclosingFunction, isAssigned, isAssignment, peel } from './syntax.js';

/** One thing that is done with a registry. */
export interface RegistryUse {
  /** The expression that names the registry, or a part of it. */
  readonly node: ts.Node;
  /** `hands`: it goes on under another name, whose uses are told as well. `leaves`: it is handed to code out of sight. */
  readonly kind: 'fill' | 'empty' | 'read' | 'hands' | 'leaves';
}

/** A registry with all its names. */
export interface RegistryPlaces {
  /** Variables, fields and parameters that hold it, and those that hold a part of it (the set of one URI). */
  readonly declarations: ReadonlySet<ts.Node>;
  readonly uses: readonly RegistryUse[];
}

const FILLING: ReadonlySet<string> = new Set(['add', 'set', 'push', 'unshift']);
const EMPTYING: ReadonlySet<string> = new Set(['delete', 'clear', 'splice', 'pop', 'shift']);

const known = new WeakMap<ClosedWorld, Map<ts.Node, RegistryPlaces>>();

/** All places of the registry that a declaration holds. */
export function placesOf(world: ClosedWorld, declaration: ts.Node): RegistryPlaces {
  const ofWorld = known.get(world) ?? new Map<ts.Node, RegistryPlaces>();
  known.set(world, ofWorld);
  const before = ofWorld.get(declaration);
  if (before !== undefined) return before;
  const search = new Search(world);
  search.visit(declaration);
  const found = search.places();
  ofWorld.set(declaration, found);
  return found;
}

class Search {
  readonly #world: ClosedWorld;
  readonly #cells: Cells;
  readonly #declarations = new Set<ts.Node>();
  readonly #uses = new Map<ts.Node, RegistryUse>();
  readonly #calls = new Set<ts.Node>();

  constructor(world: ClosedWorld) {
    this.#world = world;
    this.#cells = createCells(world);
  }

  places(): RegistryPlaces {
    return { declarations: this.#declarations, uses: [...this.#uses.values()] };
  }

  visit(declaration: ts.Node): void {
    if (this.#declarations.has(declaration) || this.#world.isOurs(declaration)) return;
    this.#declarations.add(declaration);
    this.#visitSource(declaration);
    for (const name of referencesOf(this.#world).to(declaration)) {
      const { parent } = name;
      if (ts.isPropertyAccessExpression(parent) && parent.name === name) this.#follow(parent);
      else if (ts.isShorthandPropertyAssignment(parent) && parent.name === name) {
        this.#note(name, 'hands');
        this.#visitProperty(parent);
      } else if (ts.isExportSpecifier(parent)) this.#note(name, 'hands');
      else if (ts.isBindingElement(parent) && parent !== declaration && parent.name !== name)
        this.visit(parent);
      else if (ts.isBindingElement(parent) && parent !== declaration) this.visit(parent);
      else if (!isDeclaring(name)) this.#follow(name);
    }
  }

  /** Where the value of a declaration comes from: another name of the same registry, or what callers hand in. */
  #visitSource(declaration: ts.Node): void {
    if (ts.isParameter(declaration)) {
      const index = declaration.parent.parameters.indexOf(declaration);
      for (const call of referencesOf(this.#world).callsOf(declaration.parent)) {
        const argument = call.arguments?.[index];
        if (argument !== undefined) this.#visitNamed(argument);
      }
    }
    const { initializer } = declaration as { initializer?: ts.Expression };
    if (initializer !== undefined && ts.isExpression(initializer)) this.#visitNamed(initializer);
    if (ts.isShorthandPropertyAssignment(declaration)) {
      const symbol = this.#world.checker.getShorthandAssignmentValueSymbol(declaration);
      for (const cell of this.#cells.ofSymbol(symbol)) this.visit(cell);
    }
    // `const { subscribed } = state`, and a property that is only declared
    if (ts.isBindingElement(declaration) && ts.isObjectBindingPattern(declaration.parent)) {
      const key = declaration.propertyName ?? declaration.name;
      const type = this.#world.checker.getTypeAtLocation(declaration.parent);
      for (const cell of ts.isIdentifier(key) ? this.#cells.ofProperty(type, key.text) : []) this.visit(cell);
    }
  }

  #visitNamed(expression: ts.Expression): void {
    const inner = peel(expression);
    if (ts.isIdentifier(inner) || ts.isPropertyAccessExpression(inner)) {
      for (const cell of this.#cells.of(inner)) if (isHolder(cell)) this.visit(cell);
    }
  }

  #visitProperty(property: ts.ShorthandPropertyAssignment | ts.PropertyAssignment): void {
    this.visit(property);
    const name = ts.isIdentifier(property.name) ? property.name.text : undefined;
    const type = this.#world.checker.getContextualType(property.parent);
    if (name === undefined || type === undefined) return;
    for (const cell of this.#cells.ofProperty(type, name)) this.visit(cell);
  }

  #note(node: ts.Node, kind: RegistryUse['kind']): void {
    this.#uses.set(node, { node, kind });
  }

  /** What is done with an expression whose value is the registry, or a part of it. */
  #follow(expression: ts.Node): void {
    const node = dressed(expression);
    const { parent } = node;
    const accessed = accessedMember(parent);
    if (accessed?.access.expression === node) this.#followMember(expression, accessed);
    else if (ts.isElementAccessExpression(parent) && parent.expression === node)
      this.#followElement(expression, parent);
    else if (ts.isBinaryExpression(parent)) this.#followBinary(expression, node, parent);
    else if (ts.isVariableDeclaration(parent) && parent.initializer === node)
      this.#alias(expression, parent.name);
    else if (ts.isPropertyAssignment(parent) && parent.initializer === node) {
      this.#note(expression, 'hands');
      this.#visitProperty(parent);
    } else if (ts.isPropertyDeclaration(parent) && parent.initializer === node) {
      this.#note(expression, 'hands');
      this.visit(parent);
    } else if (ts.isConditionalExpression(parent) && parent.condition !== node) this.#follow(parent);
    else if (ts.isReturnStatement(parent) || (ts.isArrowFunction(parent) && parent.body === node))
      this.#followResult(expression);
    else if (isArgument(node, parent)) this.#followArgument(expression, node, parent);
    else if (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent))
      this.#note(expression, parent.operator === ts.SyntaxKind.ExclamationToken ? 'read' : 'fill');
    else this.#note(expression, 'read');
  }

  #alias(expression: ts.Node, name: ts.BindingName): void {
    this.#note(expression, ts.isIdentifier(name) ? 'hands' : 'read');
    if (ts.isIdentifier(name)) this.visit(name.parent);
  }

  #followMember(
    expression: ts.Node,
    { access, member }: { readonly access: ts.Expression; readonly member: string },
  ): void {
    const callee = dressed(access);
    const call = callee.parent;
    const isCalled = ts.isCallExpression(call) && call.expression === callee;
    if (isCalled && FILLING.has(member)) this.#note(expression, 'fill');
    else if (isCalled && EMPTYING.has(member)) this.#note(expression, 'empty');
    else {
      this.#note(expression, 'read');
      if (isCalled && (member === 'get' || member === 'values')) this.#followPart(call);
    }
    if (!isCalled && isAssigned(access)) this.#note(expression, 'fill');
  }

  /** `registry[uri]`: taken out, put in, or deleted. */
  #followElement(expression: ts.Node, access: ts.ElementAccessExpression): void {
    if (ts.isDeleteExpression(dressed(access).parent)) this.#note(expression, 'empty');
    else if (isAssigned(access)) this.#note(expression, 'fill');
    else {
      this.#note(expression, 'read');
      this.#followPart(access);
    }
  }

  /** The part of a registry that a lookup gives: filling it fills the registry. */
  #followPart(part: ts.Expression): void {
    let node = dressed(part);
    while (
      (ts.isBinaryExpression(node.parent) && isChoice(node.parent)) ||
      (ts.isConditionalExpression(node.parent) && node.parent.condition !== node)
    )
      node = dressed(node.parent);
    const { parent } = node;
    const accessed = accessedMember(parent);
    if (accessed?.access.expression === node) this.#followMember(node, accessed);
    else if (ts.isVariableDeclaration(parent)) this.#visitPart(parent);
    else if (
      ts.isForOfStatement(parent) &&
      parent.expression === node &&
      ts.isVariableDeclarationList(parent.initializer)
    )
      for (const declaration of parent.initializer.declarations) this.#visitPart(declaration);
  }

  /** A count or a text that was taken out is no part any more. */
  #visitPart(declaration: ts.VariableDeclaration): void {
    const type = this.#world.checker.getTypeAtLocation(declaration);
    if (ts.isIdentifier(declaration.name) && isContainerType(this.#world, type)) this.visit(declaration);
  }

  #followBinary(expression: ts.Node, node: ts.Node, parent: ts.BinaryExpression): void {
    const { kind } = parent.operatorToken;
    if (isAssignment(kind) && parent.left === node) {
      const isEmptied = kind === ts.SyntaxKind.EqualsToken && isEmptying(parent.right, node);
      this.#note(expression, isEmptied ? 'empty' : 'fill');
      if (kind === ts.SyntaxKind.EqualsToken) this.#visitNamed(parent.right);
    } else if (kind === ts.SyntaxKind.EqualsToken) {
      this.#note(expression, 'hands');
      for (const cell of this.#cells.of(parent.left)) if (isHolder(cell)) this.visit(cell);
    } else if (isChoice(parent)) {
      this.#note(expression, 'read');
      this.#follow(parent);
    } else this.#note(expression, 'read');
  }

  /** A function that returns the registry: what its callers do with it. */
  #followResult(expression: ts.Node): void {
    const owner = enclosingFunction(expression);
    if (owner === undefined || this.#calls.has(owner)) return;
    this.#calls.add(owner);
    const references = referencesOf(this.#world);
    if (ts.isGetAccessor(owner)) {
      this.#note(expression, 'hands');
      this.visit(owner);
      return;
    }
    const calls = references.callsOf(owner);
    this.#note(expression, calls.length === 0 ? 'leaves' : 'hands');
    for (const call of calls) this.#follow(call);
  }

  #followArgument(expression: ts.Node, node: ts.Node, call: ts.CallExpression | ts.NewExpression): void {
    const holder = accessedMember(peel(call.expression));
    if (
      holder !== undefined &&
      FILLING.has(holder.member) &&
      isContainer(this.#world, holder.access.expression)
    ) {
      // Put into another container, of which it is a part from then on.
      this.#note(expression, 'hands');
      this.#visitNamed(holder.access.expression);
      return;
    }
    const index = call.arguments?.indexOf(node as ts.Expression) ?? -1;
    const declaration = this.#cells.calledBy(call);
    if (declaration !== undefined && !this.#world.isOurs(declaration)) {
      const parameter = declaration.parameters[index];
      const isPlain = parameter !== undefined && parameter.dotDotDotToken === undefined;
      this.#note(expression, isPlain ? 'hands' : 'leaves');
      if (isPlain) this.visit(parameter);
    } else this.#note(expression, READERS.test(call.expression.getText()) ? 'read' : 'leaves');
  }
}

/** Built-in functions that copy or print what they are given. */
const READERS =
  /^(?:Array\.from|Object\.(?:keys|values|entries|freeze)|JSON\.stringify|String|Boolean|Set|Map|console\.\w+)$/;

function isHolder(cell: ts.Node): boolean {
  return (
    ts.isVariableDeclaration(cell) ||
    ts.isParameter(cell) ||
    ts.isPropertyDeclaration(cell) ||
    ts.isPropertySignature(cell) ||
    ts.isPropertyAssignment(cell) ||
    ts.isShorthandPropertyAssignment(cell) ||
    ts.isBindingElement(cell) ||
    ts.isGetAccessor(cell)
  );
}

function isDeclaring(name: ts.Node): boolean {
  const { parent } = name;
  return (
    ts.isExportSpecifier(parent) ||
    ts.isImportSpecifier(parent) ||
    ts.isImportClause(parent) ||
    (parent as ts.NamedDeclaration).name === name
  );
}

function isArgument(node: ts.Node, parent: ts.Node): parent is ts.CallExpression | ts.NewExpression {
  return (ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression !== node;
}

function isChoice({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
  return kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.BarBarToken;
}

/** `= new Set()`, `= []`, `= false`, `= undefined`, `= list.filter(…)` */
function isEmptying(value: ts.Expression, registry: ts.Node): boolean {
  const inner = peel(value);
  if (isNothing(inner)) return true;
  const accessed = ts.isCallExpression(inner) ? accessedMember(peel(inner.expression)) : undefined;
  return accessed?.member === 'filter' && accessed.access.expression.getText() === registry.getText();
}

/** An empty container, or no value: what a registry begins with. */
export function isNothing(value: ts.Expression): boolean {
  const inner = peel(value);
  if (ts.isNewExpression(inner))
    return /^(?:Set|Map|WeakMap)$/.test(inner.expression.getText()) && (inner.arguments ?? []).length === 0;
  if (ts.isArrayLiteralExpression(inner)) return inner.elements.length === 0;
  if (ts.isObjectLiteralExpression(inner)) return inner.properties.length === 0;
  return /^(?:false|null|undefined|void 0|0|Object\.create\(null\))$/.test(inner.getText());
}
