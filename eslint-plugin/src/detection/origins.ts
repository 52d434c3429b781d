/** Where an object comes from: the `new`, the call or the type that says what it is. Followed through one file. */
import {
  enclosingFunction,
  isFunction,
  keyName,
  memberCall,
  memberName,
  parentOf,
  peel,
  type FunctionNode,
  type Node,
  type SourceCode,
  type TSESLint,
  type TSESTree,
} from '../ast.js';
import { definitionOf, importOf, variableOf, type ImportedName } from './bindings.js';
import { nodesOf } from './nodes.js';
import { elementTypeOf, memberTypeOf, typeOrigin } from './type-nodes.js';
import { checkedOrigin } from './type-information.js';

/** What an object is. */
export interface Origin {
  /** The class or function that made it, or the type that it has. */
  readonly imported: ImportedName;
  /** The `new` expression or call, or the annotation; equal for all names of one object. */
  readonly node: Node;
  /** `made`: its making is in sight. `typed`: it comes from elsewhere. */
  readonly how: 'made' | 'typed';
}

/** Deeper chains are nobody's code. */
const DEPTH = 8;

const known = new WeakMap<SourceCode, WeakMap<Node, Origin | null>>();

/** The origin of the object that an expression stands for; undefined where the file does not tell. */
export function originOf(sourceCode: SourceCode, expression: Node): Origin | undefined {
  return search(sourceCode, expression, 0) ?? checkedOrigin(sourceCode, expression);
}

function search(sourceCode: SourceCode, expression: Node, depth: number): Origin | undefined {
  if (depth > DEPTH) return undefined;
  const node = peel(expression);
  const cache = known.get(sourceCode) ?? new WeakMap<Node, Origin | null>();
  known.set(sourceCode, cache);
  const answer = cache.get(node);
  if (answer !== undefined) return answer ?? undefined;
  cache.set(node, null); // an object that is made of itself
  const found = searchNode(sourceCode, node, depth);
  if (found === undefined && depth > 0) cache.delete(node);
  else cache.set(node, found ?? null);
  return found;
}

function searchNode(sourceCode: SourceCode, node: Node, depth: number): Origin | undefined {
  const next = (inner: Node | null | undefined): Origin | undefined =>
    inner === null || inner === undefined ? undefined : search(sourceCode, inner, depth + 1);
  switch (node.type) {
    case 'NewExpression': {
      const imported = classOf(sourceCode, node.callee);
      return imported === undefined ? undefined : { imported, node, how: 'made' };
    }
    case 'CallExpression':
      return ofCall(sourceCode, node, depth);
    case 'Super':
    case 'ThisExpression': {
      const owner = enclosingClass(node);
      const imported =
        owner === undefined || owner.superClass === null ? undefined : classOf(sourceCode, owner.superClass);
      return owner === undefined || imported === undefined
        ? undefined
        : { imported, node: owner, how: 'made' };
    }
    case 'Identifier':
      return ofVariable(sourceCode, variableOf(sourceCode, node), depth);
    case 'MemberExpression':
      return ofMember(sourceCode, node, depth);
    case 'ConditionalExpression':
      return next(node.consequent) ?? next(node.alternate);
    case 'LogicalExpression':
      return node.operator === '&&' ? next(node.right) : (next(node.left) ?? next(node.right));
    case 'AssignmentExpression':
      return next(node.right);
    case 'SequenceExpression':
      return next(node.expressions.at(-1));
    default:
      return undefined;
  }
}

/** The imported class that a name is, or that a local class extends. */
export function classOf(sourceCode: SourceCode, callee: Node, depth = 0): ImportedName | undefined {
  const imported = importOf(sourceCode, callee);
  if (imported !== undefined || depth > DEPTH) return imported;
  const inner = peel(callee);
  const definition = inner.type === 'Identifier' ? definitionOf(variableOf(sourceCode, inner)) : undefined;
  const declared = definition?.type === 'ClassName' ? definition.node : undefined;
  const superClass = declared?.superClass ?? undefined;
  return superClass === undefined ? undefined : classOf(sourceCode, superClass, depth + 1);
}

function ofCall(sourceCode: SourceCode, node: TSESTree.CallExpression, depth: number): Origin | undefined {
  const imported = importOf(sourceCode, node.callee);
  if (imported !== undefined) return { imported, node, how: 'made' };
  const called = memberCall(node);
  if (called !== undefined && ELEMENT_METHODS.has(called.name)) {
    const element = elementOf(sourceCode, called.receiver, depth + 1);
    if (element !== undefined) return element;
  }
  const declared = functionOf(sourceCode, node.callee);
  return declared === undefined ? undefined : ofResult(sourceCode, declared, depth + 1);
}

/** Methods of containers that give one of what they hold. */
const ELEMENT_METHODS = new Set(['get', 'at', 'find', 'pop', 'shift']);

/** What a function returns. */
function ofResult(sourceCode: SourceCode, declared: FunctionNode, depth: number): Origin | undefined {
  const typed = typeOrigin(sourceCode, declared.returnType?.typeAnnotation);
  for (const returned of returnedBy(sourceCode, declared)) {
    const origin = search(sourceCode, returned, depth);
    if (origin !== undefined) return origin;
  }
  return typed;
}

/** The expressions that a function returns. */
export function returnedBy(sourceCode: SourceCode, declared: FunctionNode): Node[] {
  if (declared.body.type !== 'BlockStatement') return [declared.body];
  return nodesOf(sourceCode)
    .of('ReturnStatement')
    .flatMap((statement) =>
      statement.argument !== null && enclosingFunction(statement) === declared ? [statement.argument] : [],
    );
}

/** The function that an expression is or names, where it is declared in the file: also a method by `this.name`. */
export function functionOf(sourceCode: SourceCode, expression: Node, depth = 0): FunctionNode | undefined {
  const node = peel(expression);
  if (isFunction(node)) return node;
  if (depth > DEPTH) return undefined;
  if (node.type === 'Identifier') {
    const definition = definitionOf(variableOf(sourceCode, node));
    if (definition?.type === 'FunctionName' && isFunction(definition.node)) return definition.node;
    if (
      definition?.type === 'Variable' &&
      definition.node.id.type === 'Identifier' &&
      definition.node.init !== null
    )
      return functionOf(sourceCode, definition.node.init, depth + 1);
    return undefined;
  }
  if (node.type === 'MemberExpression' && node.object.type === 'ThisExpression') {
    const name = memberName(node);
    for (const member of enclosingClass(node)?.body.body ?? []) {
      if (member.type !== 'MethodDefinition' && member.type !== 'PropertyDefinition') continue;
      if (keyName(member) !== name) continue;
      const { value } = member;
      return isFunction(value) ? value : undefined;
    }
  }
  // useCallback(() => …), wrap(async () => …): the function that is handed in stands for the result.
  return undefined;
}

function ofVariable(
  sourceCode: SourceCode,
  variable: TSESLint.Scope.Variable | undefined,
  depth: number,
): Origin | undefined {
  const definition = definitionOf(variable);
  if (variable === undefined || definition === undefined) return undefined;
  if (definition.type === 'Parameter') return ofParameter(sourceCode, definition, depth);
  if (definition.type !== 'Variable') return undefined;
  const { id, init } = definition.node;
  if (id.type === 'Identifier') {
    const made = init === null ? undefined : search(sourceCode, init, depth + 1);
    if (made !== undefined) return made;
    for (const reference of variable.references) {
      const written =
        reference.isWrite() && reference.init !== true ? (reference.writeExpr ?? undefined) : undefined;
      const origin = written === undefined ? undefined : search(sourceCode, written, depth + 1);
      if (origin !== undefined) return origin;
    }
    const typed = typeOrigin(sourceCode, id.typeAnnotation?.typeAnnotation);
    if (typed !== undefined) return typed;
    // for (const client of clients)
    const loop = definition.node.parent.parent;
    return loop.type === 'ForOfStatement' ? elementOf(sourceCode, loop.right, depth + 1) : undefined;
  }
  if (id.type !== 'ObjectPattern' || init === null) return ofLoopPattern(sourceCode, definition, depth);
  const name = patternKey(id, definition.name);
  return name === undefined ? undefined : memberOf(sourceCode, init, name, depth + 1);
}

/** `for (const [name, client] of clients)` */
function ofLoopPattern(
  sourceCode: SourceCode,
  definition: TSESLint.Scope.Definition,
  depth: number,
): Origin | undefined {
  const declarator = definition.node;
  if (declarator.type !== 'VariableDeclarator' || declarator.id.type !== 'ArrayPattern') return undefined;
  const loop = declarator.parent.parent;
  return loop.type === 'ForOfStatement' && declarator.id.elements.at(-1) === definition.name
    ? elementOf(sourceCode, loop.right, depth + 1)
    : undefined;
}

function ofParameter(
  sourceCode: SourceCode,
  definition: TSESLint.Scope.Definition,
  depth: number,
): Origin | undefined {
  const { name, node } = definition;
  if (name.type !== 'Identifier' || !isFunction(node)) return undefined;
  const typed = typeOrigin(sourceCode, name.typeAnnotation?.typeAnnotation);
  if (typed !== undefined) return typed;
  const parameter = node.params.find((one) => one.range[0] <= name.range[0] && name.range[1] <= one.range[1]);
  if (parameter?.type === 'AssignmentPattern') return search(sourceCode, parameter.right, depth + 1);
  if (parameter?.type === 'ObjectPattern') {
    const key = patternKey(parameter, name);
    return key === undefined
      ? undefined
      : memberTypeOf(sourceCode, parameter.typeAnnotation?.typeAnnotation, key);
  }
  // clients.forEach((client) => …)
  const call = node.parent.type === 'CallExpression' ? memberCall(node.parent) : undefined;
  return call !== undefined && CALLBACK_METHODS.has(call.name) && parameter === node.params[0]
    ? elementOf(sourceCode, call.receiver, depth + 1)
    : undefined;
}

const CALLBACK_METHODS = new Set(['forEach', 'map', 'flatMap', 'filter', 'some', 'every', 'find']);

/** The key under which a pattern takes a name out of an object. */
function patternKey(pattern: TSESTree.ObjectPattern, name: Node): string | undefined {
  for (const property of pattern.properties) {
    if (property.type !== 'Property') continue;
    const { value } = property;
    if (value === name || (value.type === 'AssignmentPattern' && value.left === name))
      return keyName(property);
  }
  return undefined;
}

function ofMember(
  sourceCode: SourceCode,
  node: TSESTree.MemberExpression,
  depth: number,
): Origin | undefined {
  const name = memberName(node);
  if (name === undefined) {
    // clients[name]
    return node.computed ? elementOf(sourceCode, node.object, depth + 1) : undefined;
  }
  return memberOf(sourceCode, node.object, name, depth);
}

/** What a member of an object holds: a field of the class around, a property of a literal, or by the object's type. */
function memberOf(sourceCode: SourceCode, object: Node, name: string, depth: number): Origin | undefined {
  const holder = peel(object);
  if (holder.type === 'ThisExpression') {
    const owner = enclosingClass(holder);
    return owner === undefined ? undefined : ofField(sourceCode, owner, name, depth + 1);
  }
  if (holder.type === 'Identifier') {
    const definition = definitionOf(variableOf(sourceCode, holder));
    const annotated =
      definition?.name.type === 'Identifier' ? definition.name.typeAnnotation?.typeAnnotation : undefined;
    const typed = memberTypeOf(sourceCode, annotated, name);
    if (typed !== undefined) return typed;
    const init = definition?.type === 'Variable' ? (definition.node.init ?? undefined) : undefined;
    return init === undefined || init === object ? undefined : memberOf(sourceCode, init, name, depth + 1);
  }
  if (holder.type === 'ObjectExpression') {
    for (const property of holder.properties)
      if (property.type === 'Property' && keyName(property) === name)
        return search(sourceCode, property.value, depth + 1);
    return undefined;
  }
  if (holder.type === 'CallExpression') {
    // const { client } = await open(); where open() says what it returns
    const returned = functionOf(sourceCode, holder.callee)?.returnType?.typeAnnotation;
    return memberTypeOf(sourceCode, returned, name);
  }
  if (holder.type === 'NewExpression' && holder.callee.type === 'Identifier') {
    const definition = definitionOf(variableOf(sourceCode, holder.callee));
    return definition?.type === 'ClassName'
      ? ofField(sourceCode, definition.node, name, depth + 1)
      : undefined;
  }
  return undefined;
}

/** What a class keeps under a name. */
function ofField(
  sourceCode: SourceCode,
  owner: TSESTree.ClassDeclaration | TSESTree.ClassExpression,
  name: string,
  depth: number,
): Origin | undefined {
  let typed: Origin | undefined;
  for (const member of owner.body.body) {
    if (member.type === 'PropertyDefinition' && keyName(member) === name) {
      const made = member.value === null ? undefined : search(sourceCode, member.value, depth);
      if (made !== undefined) return made;
      typed ??= typeOrigin(sourceCode, member.typeAnnotation?.typeAnnotation);
    }
    if (member.type === 'MethodDefinition' && keyName(member) === name && member.kind === 'get') {
      const got = isFunction(member.value) ? ofResult(sourceCode, member.value, depth) : undefined;
      if (got !== undefined) return got;
    }
    if (member.type === 'MethodDefinition' && member.kind === 'constructor') {
      for (const parameter of member.value.params) {
        if (parameter.type !== 'TSParameterProperty') continue;
        const inner =
          parameter.parameter.type === 'AssignmentPattern' ? parameter.parameter.left : parameter.parameter;
        if (inner.name === name) typed ??= typeOrigin(sourceCode, inner.typeAnnotation?.typeAnnotation);
      }
    }
  }
  for (const assignment of nodesOf(sourceCode).of('AssignmentExpression')) {
    const left = peel(assignment.left);
    if (
      left.type === 'MemberExpression' &&
      left.object.type === 'ThisExpression' &&
      memberName(left) === name &&
      enclosingClass(left) === owner
    ) {
      const made = search(sourceCode, assignment.right, depth);
      if (made !== undefined) return made;
    }
  }
  return typed;
}

/** What a container holds: by its type, by what is put into it. */
function elementOf(sourceCode: SourceCode, container: Node, depth: number): Origin | undefined {
  if (depth > DEPTH) return undefined;
  const holder = peel(container);
  const called = memberCall(holder);
  if (
    called !== undefined &&
    ['values', 'entries', 'toArray'].includes(called.name) &&
    called.call.arguments.length === 0
  )
    return elementOf(sourceCode, called.receiver, depth + 1);
  if (
    called !== undefined &&
    ['values', 'entries', 'from'].includes(called.name) &&
    called.receiver.type === 'Identifier' &&
    ['Object', 'Array'].includes(called.receiver.name)
  ) {
    const [first] = called.call.arguments;
    return first === undefined ? undefined : elementOf(sourceCode, first, depth + 1);
  }
  if (holder.type === 'NewExpression') return elementTypeOf(sourceCode, holder.typeArguments ?? undefined);
  if (holder.type === 'ArrayExpression') {
    for (const element of holder.elements) {
      const origin =
        element === null
          ? undefined
          : search(sourceCode, element.type === 'SpreadElement' ? element.argument : element, depth + 1);
      if (origin !== undefined) return origin;
    }
    return undefined;
  }
  const [annotation, init] = declarationOf(sourceCode, holder);
  const typed = elementTypeOf(sourceCode, annotation);
  if (typed !== undefined) return typed;
  const inside = init === undefined ? undefined : elementOf(sourceCode, init, depth + 1);
  return inside ?? putInto(sourceCode, holder, depth);
}

/** The annotation and initializer of a variable or of a field. */
function declarationOf(
  sourceCode: SourceCode,
  holder: Node,
): [annotation: Node | undefined, init: Node | undefined] {
  if (holder.type === 'Identifier') {
    const definition = definitionOf(variableOf(sourceCode, holder));
    const annotation =
      definition?.name.type === 'Identifier' ? definition.name.typeAnnotation?.typeAnnotation : undefined;
    return [annotation, definition?.type === 'Variable' ? (definition.node.init ?? undefined) : undefined];
  }
  if (holder.type === 'MemberExpression' && holder.object.type === 'ThisExpression') {
    const name = memberName(holder);
    for (const member of enclosingClass(holder)?.body.body ?? []) {
      if (member.type === 'PropertyDefinition' && keyName(member) === name)
        return [member.typeAnnotation?.typeAnnotation, member.value ?? undefined];
    }
  }
  return [undefined, undefined];
}

/** clients.set(name, client), clients.push(client), clients[name] = client */
function putInto(sourceCode: SourceCode, holder: Node, depth: number): Origin | undefined {
  const text = sourceCode.getText(holder);
  if (holder.type !== 'Identifier' && !text.startsWith('this.')) return undefined;
  for (const call of nodesOf(sourceCode).of('CallExpression')) {
    const put = memberCall(call);
    if (put === undefined || !['set', 'push', 'add', 'unshift'].includes(put.name)) continue;
    if (sourceCode.getText(put.receiver) !== text) continue;
    const value = call.arguments.at(-1);
    const origin = value === undefined ? undefined : search(sourceCode, value, depth + 1);
    if (origin !== undefined) return origin;
  }
  return undefined;
}

/** The class around a node. */
export function enclosingClass(node: Node): TSESTree.ClassDeclaration | TSESTree.ClassExpression | undefined {
  for (let at = parentOf(node); at !== undefined; at = parentOf(at))
    if (at.type === 'ClassDeclaration' || at.type === 'ClassExpression') return at;
  return undefined;
}
