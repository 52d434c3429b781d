/** What becomes of an object after its making: which members are taken from it, and where it goes out of sight. */
import {
  dressedWithAwait,
  enclosingFunction,
  keyName,
  memberName,
  parentOf,
  type FunctionNode,
  type Node,
  type SourceCode,
  type TSESLint,
  type TSESTree,
} from '../ast.js';
import { variableOf } from './bindings.js';
import { nodesOf } from './nodes.js';
import { enclosingClass, functionOf } from './origins.js';

/** A member that is taken from the object: `sub.closed`, or `closed` in a pattern. */
export interface MemberUse {
  readonly name: string;
  readonly node: TSESTree.MemberExpression | TSESTree.Property;
}

/** The life of an object in its file. */
export interface Uses {
  readonly members: readonly MemberUse[];
  /** Where it goes out of sight: handed to a stranger, returned to one, exported, kept in a container. */
  readonly escapes: readonly Node[];
  /** The names that hold it, in the order of the flow. */
  readonly variables: readonly TSESLint.Scope.Variable[];
}

interface Search {
  readonly sourceCode: SourceCode;
  readonly members: MemberUse[];
  readonly escapes: Node[];
  readonly variables: TSESLint.Scope.Variable[];
  readonly seen: Set<unknown>;
  /** A call that may have the object and keeps it from nobody. */
  readonly isHarmless: (call: TSESTree.CallExpression) => boolean;
}

/** Follows the object (or the promise of it) that an expression makes. */
export function usesOf(
  sourceCode: SourceCode,
  expression: Node,
  isHarmless: (call: TSESTree.CallExpression) => boolean = () => false,
): Uses {
  const search: Search = {
    sourceCode,
    members: [],
    escapes: [],
    variables: [],
    seen: new Set(),
    isHarmless,
  };
  follow(search, expression);
  return search;
}

function follow(search: Search, expression: Node): void {
  if (search.seen.has(expression)) return;
  search.seen.add(expression);
  const node = dressedWithAwait(expression);
  const parent = parentOf(node);
  if (parent === undefined) return;
  switch (parent.type) {
    case 'ExpressionStatement':
    case 'UnaryExpression':
    case 'BinaryExpression':
    case 'TSTypeQuery':
    case 'IfStatement':
    case 'WhileStatement':
      return;
    case 'MemberExpression':
      followMember(search, parent, node);
      return;
    case 'VariableDeclarator':
      followPattern(search, parent.id);
      return;
    case 'AssignmentExpression':
      if (parent.left === node) return;
      followPattern(search, parent.left);
      follow(search, parent);
      return;
    case 'PropertyDefinition':
      followField(search, enclosingClass(parent), keyName(parent), parent);
      return;
    case 'ConditionalExpression':
      if (parent.test !== node) follow(search, parent);
      return;
    case 'LogicalExpression':
      if (parent.right === node || parent.operator !== '&&') follow(search, parent);
      return;
    case 'SequenceExpression':
      if (parent.expressions.at(-1) === node) follow(search, parent);
      return;
    case 'CallExpression':
      followArgument(search, parent, node);
      return;
    case 'ReturnStatement':
      followResult(search, enclosingFunction(parent), parent);
      return;
    case 'ArrowFunctionExpression':
      followResult(search, parent, node);
      return;
    default:
      search.escapes.push(node);
  }
}

function followMember(search: Search, member: TSESTree.MemberExpression, node: Node): void {
  if (member.object !== node) {
    search.escapes.push(node);
    return;
  }
  const name = memberName(member);
  const call = parentOf(member);
  const isCalled = call?.type === 'CallExpression' && call.callee === member;
  if (name === undefined) search.escapes.push(member);
  else if (isCalled && name === 'then') {
    const [callback] = call.arguments;
    const taker = callback === undefined ? undefined : functionOf(search.sourceCode, callback);
    if (taker === undefined) search.escapes.push(call);
    else followParameter(search, taker, 0);
  } else if (isCalled && (name === 'catch' || name === 'finally')) follow(search, call);
  else search.members.push({ name, node: member });
}

function followPattern(search: Search, pattern: Node): void {
  switch (pattern.type) {
    case 'Identifier':
      followVariable(search, variableOf(search.sourceCode, pattern), pattern);
      return;
    case 'AssignmentPattern':
      followPattern(search, pattern.left);
      return;
    case 'ObjectPattern':
      for (const property of pattern.properties) {
        const name = property.type === 'Property' ? keyName(property) : undefined;
        if (property.type === 'Property' && name !== undefined) search.members.push({ name, node: property });
        else search.escapes.push(property);
      }
      return;
    case 'MemberExpression':
      if (pattern.object.type === 'ThisExpression')
        followField(search, enclosingClass(pattern), memberName(pattern), pattern);
      else search.escapes.push(pattern);
      return;
    default:
      search.escapes.push(pattern);
  }
}

function followVariable(search: Search, variable: TSESLint.Scope.Variable | undefined, at: Node): void {
  if (variable === undefined) {
    search.escapes.push(at); // a global
    return;
  }
  if (search.seen.has(variable)) return;
  search.seen.add(variable);
  search.variables.push(variable);
  if (variable.defs.some((definition) => isExported(definition.node))) search.escapes.push(at);
  for (const reference of variable.references) if (reference.isRead()) follow(search, reference.identifier);
}

function isExported(definition: Node): boolean {
  const declaration = definition.type === 'VariableDeclarator' ? parentOf(definition) : definition;
  const around = declaration === undefined ? undefined : parentOf(declaration);
  return around?.type === 'ExportNamedDeclaration' || around?.type === 'ExportDefaultDeclaration';
}

/** A field that the class keeps to itself is read through `this` alone. */
function followField(
  search: Search,
  owner: ReturnType<typeof enclosingClass>,
  name: string | undefined,
  at: Node,
): void {
  if (owner === undefined || name === undefined || !isPrivate(owner, name)) search.escapes.push(at);
  if (owner === undefined || name === undefined) return;
  for (const member of nodesOf(search.sourceCode).of('MemberExpression')) {
    if (member.object.type !== 'ThisExpression' || memberName(member) !== name) continue;
    if (enclosingClass(member) === owner) follow(search, member);
  }
}

/** Whether a field of a class is out of reach for others. */
export function isPrivate(
  owner: TSESTree.ClassDeclaration | TSESTree.ClassExpression,
  name: string,
): boolean {
  return (
    name.startsWith('#') ||
    owner.body.body.some(
      (member) =>
        member.type === 'PropertyDefinition' &&
        member.accessibility === 'private' &&
        keyName(member) === name,
    )
  );
}

function followArgument(search: Search, call: TSESTree.CallExpression, node: Node): void {
  if (call.callee === node || search.isHarmless(call)) return;
  const index = call.arguments.indexOf(node as TSESTree.CallExpressionArgument);
  const isPlaced = !call.arguments.slice(0, index + 1).some(({ type }) => type === 'SpreadElement');
  const taker = isPlaced ? functionOf(search.sourceCode, call.callee) : undefined;
  if (taker === undefined) search.escapes.push(node);
  else followParameter(search, taker, index);
}

function followParameter(search: Search, taker: FunctionNode, index: number): void {
  const parameter = taker.params[index];
  // What nobody takes goes nowhere, unless `arguments` or a rest parameter has it.
  if (parameter === undefined) {
    if (taker.params.at(-1)?.type === 'RestElement') search.escapes.push(taker);
  } else followPattern(search, parameter);
}

/** What a function returns goes to its callers: in sight only for functions that nobody else can call. */
function followResult(search: Search, from: FunctionNode | undefined, at: Node): void {
  const calls = from === undefined ? undefined : callsInSight(search.sourceCode, from);
  if (calls === undefined) search.escapes.push(at);
  else for (const call of calls) follow(search, call);
}

function callsInSight(sourceCode: SourceCode, from: FunctionNode): readonly Node[] | undefined {
  const outer = parentOf(from);
  if (outer?.type === 'CallExpression') {
    if (outer.callee === from) return [outer];
    const { callee } = outer;
    const isThen = callee.type === 'MemberExpression' && memberName(callee) === 'then';
    return isThen && outer.arguments[0] === from ? [outer] : undefined;
  }
  const name =
    from.type === 'FunctionDeclaration'
      ? from.id
      : outer?.type === 'VariableDeclarator' && outer.id.type === 'Identifier'
        ? outer.id
        : null;
  if (name === null) return undefined;
  const declared = from.type === 'FunctionDeclaration' ? from : outer;
  if (declared === undefined || isExported(declared)) return undefined;
  const calls: Node[] = [];
  for (const { identifier } of variableOf(sourceCode, name)?.references.filter((one) => one.isRead()) ?? []) {
    const call = parentOf(identifier);
    if (call?.type !== 'CallExpression' || call.callee !== identifier) return undefined;
    calls.push(call);
  }
  return calls;
}

/** The calls of a member of an object: `sub.close()`. */
export function callsOf(uses: Uses, name: string): TSESTree.CallExpression[] {
  return uses.members.flatMap((member) => {
    const call = member.name === name ? parentOf(member.node) : undefined;
    return call?.type === 'CallExpression' && call.callee === member.node ? [call] : [];
  });
}
