/** Names of a module: where they are declared, and where else they stand. */
import {
  child,
  childrenOf,
  isFunction,
  isMember,
  list,
  memberName,
  nameOf,
  peel,
  type Node,
} from './tree.js';
import { classAround, type WireModule } from './wire-module.js';

/** A declared name. */
export interface Binding {
  readonly name: string;
  /** The identifier that declares it. */
  readonly node: Node;
  /** The declarator, function, class or import specifier; the function itself for a parameter. */
  readonly declaration: Node;
  readonly kind: 'const' | 'let' | 'var' | 'parameter' | 'function' | 'class' | 'import' | 'other';
}

const SCOPES = Symbol('scopes');
const KNOWN = Symbol('known bindings');

type Scopes = WeakMap<Node, Map<string, Binding>>;

/** What an identifier stands for; undefined for a name from outside. */
export function bindingOf(module: WireModule, identifier: Node): Binding | undefined {
  const name = nameOf(identifier);
  if (name === undefined) return undefined;
  const known = module.remember(KNOWN, () => new Map<Node, Binding | undefined>());
  if (!known.has(identifier)) known.set(identifier, findBinding(module, identifier, name));
  return known.get(identifier);
}

function findBinding(module: WireModule, identifier: Node, name: string): Binding | undefined {
  const scopes = module.remember<Scopes>(SCOPES, scopesOf);
  for (let at: Node | undefined = identifier; at !== undefined; at = module.parentOf(at)) {
    const found = scopes.get(at)?.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The expression that a name always stands for: what a `const` is initialised with. */
export function constantOf(module: WireModule, node: Node): Node | undefined {
  const binding = bindingOf(module, peel(node));
  return binding?.kind === 'const' && child(binding.declaration, 'id') === binding.node
    ? child(binding.declaration, 'init')
    : undefined;
}

/** All places of a name besides its declaration. */
export function referencesTo(module: WireModule, binding: Binding): Node[] {
  return module
    .of('Identifier')
    .filter(
      (node) =>
        nameOf(node) === binding.name &&
        node !== binding.node &&
        !isNameOnly(module, node) &&
        bindingOf(module, node)?.node === binding.node,
    );
}

/** Whether an identifier names a member or a key instead of a variable. */
export function isNameOnly(module: WireModule, node: Node): boolean {
  const parent = module.parentOf(node);
  if (parent === undefined) return false;
  if (isMember(parent)) return child(parent, 'property') === node && parent['computed'] !== true;
  const isKey = child(parent, 'key') === node && parent['computed'] !== true;
  return isKey && parent['shorthand'] !== true;
}

/** The function that a name or a member of `this` stands for in this module. */
export function functionOf(module: WireModule, callee: Node): Node | undefined {
  const target = peel(callee);
  if (isFunction(target)) return target;
  if (isMember(target)) return memberOfThis(module, target);
  const binding = bindingOf(module, target);
  if (binding === undefined) return undefined;
  if (binding.kind === 'function') return binding.declaration;
  const value = child(binding.declaration, 'init');
  return value !== undefined && isFunction(peel(value)) ? peel(value) : undefined;
}

function memberOfThis(module: WireModule, member: Node): Node | undefined {
  const owner = ownerOf(module, member);
  const found = owner === undefined ? undefined : classMember(owner, memberName(member));
  if (found === undefined) return undefined;
  if (isFunction(found)) return found;
  const value = child(found, 'value');
  return value !== undefined && isFunction(peel(value)) ? peel(value) : undefined;
}

/** The class whose `this` a member is taken from. */
export function ownerOf(module: WireModule, member: Node): Node | undefined {
  const object = child(member, 'object');
  return object !== undefined && peel(object).type === 'ThisExpression'
    ? classAround(module, member)
    : undefined;
}

/** The member of a class by its name. */
export function classMember(owner: Node, name: string | undefined): Node | undefined {
  return list(child(owner, 'body'), 'body').find((member) => nameOf(child(member, 'key')) === name);
}

/** The accesses `this.name` in the class that a member is taken from. */
export function accessesOf(module: WireModule, owner: Node, name: string): Node[] {
  return module
    .of('MemberExpression', 'OptionalMemberExpression')
    .filter((member) => memberName(member) === name && ownerOf(module, member) === owner);
}

/** Whether a name means the same at another place. */
export function isVisibleAt(module: WireModule, identifier: Node, place: Node): boolean {
  const binding = bindingOf(module, identifier);
  const scopes = module.remember<Scopes>(SCOPES, scopesOf);
  for (const around of [place, ...module.ancestorsOf(place)]) {
    const found = scopes.get(around)?.get(nameOf(identifier) ?? '');
    if (found !== undefined) return found.node === binding?.node;
  }
  return binding === undefined;
}

function scopesOf(module: WireModule): Scopes {
  const scopes: Scopes = new WeakMap();
  const declare = (scope: Node, binding: Binding): void => {
    const names = scopes.get(scope) ?? new Map<string, Binding>();
    if (!names.has(binding.name)) names.set(binding.name, binding);
    scopes.set(scope, names);
  };
  const add = (scope: Node, pattern: Node | undefined, declaration: Node, kind: Binding['kind']): void => {
    for (const node of namesIn(pattern))
      declare(scope, { name: nameOf(node) ?? '', node, declaration, kind });
  };
  const visit = (node: Node, block: Node, owner: Node): void => {
    let [inner, around] = [block, owner];
    if (isFunction(node)) {
      if (node.type === 'FunctionDeclaration') add(block, child(node, 'id'), node, 'function');
      for (const parameter of list(node, 'params')) add(node, parameter, node, 'parameter');
      [inner, around] = [node, node];
    } else if (node.type === 'ClassDeclaration') {
      add(block, child(node, 'id'), node, 'class');
    } else if (node.type === 'ImportDeclaration') {
      for (const specifier of list(node, 'specifiers'))
        add(module.program, child(specifier, 'local'), specifier, 'import');
    } else if (node.type === 'VariableDeclaration') {
      const kind = node['kind'] as Binding['kind'];
      for (const declarator of list(node, 'declarations'))
        add(kind === 'var' ? owner : block, child(declarator, 'id'), declarator, kind);
    } else if (BLOCKS.has(node.type)) {
      inner = node;
      if (node.type === 'CatchClause') add(node, child(node, 'param'), node, 'other');
    }
    for (const part of childrenOf(node)) visit(part, inner, around);
  };
  visit(module.program, module.program, module.program);
  return scopes;
}

const BLOCKS = new Set([
  'BlockStatement',
  'ForStatement',
  'ForOfStatement',
  'ForInStatement',
  'SwitchStatement',
  'CatchClause',
  'StaticBlock',
]);

/** The identifiers that a pattern declares. */
function namesIn(pattern: Node | undefined): Node[] {
  if (pattern === undefined) return [];
  switch (pattern.type) {
    case 'Identifier':
      return [pattern];
    case 'ObjectPattern':
      return list(pattern, 'properties').flatMap((property) =>
        namesIn(child(property, 'value') ?? child(property, 'argument')),
      );
    case 'ArrayPattern':
      return list(pattern, 'elements').flatMap(namesIn);
    case 'AssignmentPattern':
      return namesIn(child(pattern, 'left'));
    case 'RestElement':
    case 'RestProperty':
      return namesIn(child(pattern, 'argument'));
    case 'TSParameterProperty':
      return namesIn(child(pattern, 'parameter'));
    default:
      return [];
  }
}
