/** The trees that jscodeshift's parsers make, read alike: with their positions in the text, whether ESTree's or Babel's. */

/** A node of any of them. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** Whether a value is a node. */
export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

/** The node in a field. */
export function child(node: Node | undefined, field: string): Node | undefined {
  const value = node?.[field];
  return isNode(value) ? value : undefined;
}

/** The nodes in a field that holds a list. */
export function list(node: Node | undefined, field: string): Node[] {
  const value = node?.[field];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Fields that lead upwards or aside, not to what is part of the node. */
const ASIDE = new Set([
  'loc',
  'tokens',
  'comments',
  'leadingComments',
  'trailingComments',
  'innerComments',
  'extra',
]);

/** What a node is made of, in the order of its fields. */
export function childrenOf(node: Node): Node[] {
  const found: Node[] = [];
  for (const field of Object.keys(node)) {
    const value = node[field];
    if (typeof value !== 'object' || value === null || ASIDE.has(field)) continue;
    if (!Array.isArray(value)) {
      if (isNode(value)) found.push(value);
      continue;
    }
    for (const one of value) if (isNode(one)) found.push(one);
  }
  return found;
}

const WRAPPERS = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'TypeCastExpression',
  'ParenthesizedExpression',
  'ChainExpression',
]);

/** Whether a node only dresses the expression in it: `x as T`, `x!`, `(x)`. */
export function isWrapper(node: Node): boolean {
  return WRAPPERS.has(node.type);
}

/** The expression without what only says something about its type. */
export function peel(node: Node): Node {
  const inner = isWrapper(node) ? child(node, 'expression') : undefined;
  return inner === undefined ? node : peel(inner);
}

/** The name of an identifier, a private one with its `#`. */
export function nameOf(node: Node | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (node.type === 'PrivateName') return `#${nameOf(child(node, 'id')) ?? ''}`;
  if (node.type === 'PrivateIdentifier') return `#${String(node['name'])}`;
  return (node.type === 'Identifier' || node.type === 'JSXIdentifier') && typeof node['name'] === 'string'
    ? node['name']
    : undefined;
}

/** The text of a string literal, or of a template without anything put into it. */
export function stringOf(node: Node | undefined): string | undefined {
  if (node === undefined) return undefined;
  const literal = peel(node);
  if (literal.type === 'StringLiteral' || literal.type === 'Literal')
    return typeof literal['value'] === 'string' ? literal['value'] : undefined;
  const [quasi, ...others] = list(literal, 'quasis');
  if (literal.type !== 'TemplateLiteral' || quasi === undefined || others.length > 0) return undefined;
  const value = quasi['value'] as { cooked?: unknown } | undefined;
  return typeof value?.cooked === 'string' ? value.cooked : undefined;
}

/** The number that a literal is. */
export function numberOf(node: Node | undefined): number | undefined {
  const literal = node === undefined ? undefined : peel(node);
  const isNumber = literal?.type === 'NumericLiteral' || literal?.type === 'Literal';
  return isNumber && typeof literal['value'] === 'number' ? literal['value'] : undefined;
}

export function isCall(node: Node | undefined): boolean {
  return node?.type === 'CallExpression' || node?.type === 'OptionalCallExpression';
}

export function isMember(node: Node | undefined): boolean {
  return node?.type === 'MemberExpression' || node?.type === 'OptionalMemberExpression';
}

const FUNCTIONS = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ObjectMethod',
  'ClassMethod',
  'ClassPrivateMethod',
]);

export function isFunction(node: Node | undefined): boolean {
  return node !== undefined && FUNCTIONS.has(node.type);
}

export function isLoop(node: Node): boolean {
  return ['WhileStatement', 'DoWhileStatement', 'ForStatement', 'ForOfStatement', 'ForInStatement'].includes(
    node.type,
  );
}

/** `name` of `x.name` and `x['name']`. */
export function memberName(node: Node | undefined): string | undefined {
  if (node === undefined || !isMember(node)) return undefined;
  const property = child(node, 'property');
  return node['computed'] === true ? stringOf(property) : nameOf(property);
}

/** The last name of what is called: `fetch` of `fetch(…)`, `globalThis.fetch(…)` and `this.fetch?.(…)`. */
export function calleeName(call: Node): string | undefined {
  const callee = child(call, 'callee');
  if (callee === undefined) return undefined;
  const target = peel(callee);
  return nameOf(target) ?? memberName(target);
}

/** What a method is called on. */
export function receiverOf(call: Node): Node | undefined {
  const callee = child(call, 'callee');
  const target = callee === undefined ? undefined : peel(callee);
  const object = isMember(target) ? child(target, 'object') : undefined;
  return object === undefined ? undefined : peel(object);
}

/** Whether a member of an object literal is `key: value`, in either tree. */
export function isProperty(node: Node): boolean {
  return (node.type === 'Property' || node.type === 'ObjectProperty') && child(node, 'value') !== undefined;
}

export function isSpread(node: Node): boolean {
  return node.type === 'SpreadElement' || node.type === 'SpreadProperty';
}

/** A node and all that is in it, functions in it included. */
export function* within(node: Node): Generator<Node> {
  yield node;
  for (const inner of childrenOf(node)) yield* within(inner);
}

export function contains(outer: Node, inner: Node): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}
