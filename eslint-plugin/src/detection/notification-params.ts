/** The `params` of change notifications where code receives them: in handlers of the SDK, and behind raw dispatch. */
import {
  dressed,
  keyName,
  memberName,
  parentOf,
  peel,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { definitionOf, variableOf } from './bindings.js';
import { handlersOf } from './handlers.js';
import { find, nodesOf } from './nodes.js';
import { stringOf } from './values.js';
import { isChange } from './wire.js';

/** A notification that code has received. */
export interface Received {
  /** The notification; undefined where a handler serves several. */
  readonly method: string | undefined;
  /** What holds its params: expressions, and patterns that take them apart. */
  readonly params: readonly Node[];
}

/** What the handlers of the SDK's clients receive; those of clients that speak the legacy era alone left out. */
export function receivedByHandlers(sourceCode: SourceCode): Received[] {
  return handlersOf(sourceCode).flatMap(({ client, methods, fields, handler }): Received[] => {
    const [parameter] = handler?.params ?? [];
    if (client.era === 'legacy' || parameter === undefined || methods === 'unknown') return [];
    // The fallback is told of everything; what is behind its questions is raw dispatch.
    if (methods === 'all') return dispatches(sourceCode, handler);
    if (fields.length === 0 || fields.length < methods.length) return [];
    return [
      { method: methods.length === 1 ? methods[0] : undefined, params: paramsOf(sourceCode, parameter) },
    ];
  });
}

/** What raw code receives: `if (message.method === '…')`, `switch (message.method)`. */
export function receivedByDispatch(sourceCode: SourceCode): Received[] {
  return dispatches(sourceCode, undefined);
}

function dispatches(sourceCode: SourceCode, within: Node | undefined): Received[] {
  return [...comparisons(sourceCode, within), ...cases(sourceCode, within)].flatMap(
    ({ method, asked, regions }): Received[] => {
      const params = regions.flatMap((region) => paramsIn(sourceCode, asked, region));
      return params.length === 0 ? [] : [{ method, params }];
    },
  );
}

interface Dispatch {
  readonly method: string;
  /** `message.method`, or `method`. */
  readonly asked: Node;
  /** Code that runs for this method alone. */
  readonly regions: readonly Node[];
}

function comparisons(sourceCode: SourceCode, within: Node | undefined): Dispatch[] {
  return below(sourceCode, within, 'BinaryExpression').flatMap((comparison): Dispatch[] => {
    if (comparison.operator !== '===' && comparison.operator !== '==') return [];
    const method = stringOf(sourceCode, comparison.right);
    const region = regionOf(comparison);
    return method !== undefined && isChange(method) && region !== undefined
      ? [{ method, asked: peel(comparison.left), regions: [region] }]
      : [];
  });
}

/** What runs where a condition holds. */
function regionOf(condition: Node): Node | undefined {
  const node = dressed(condition);
  const parent = parentOf(node);
  if (parent?.type === 'IfStatement' || parent?.type === 'ConditionalExpression')
    return parent.test === node ? parent.consequent : undefined;
  if (parent?.type !== 'LogicalExpression' || parent.operator !== '&&') return undefined;
  return regionOf(parent) ?? (parent.left === node ? parent.right : undefined);
}

function cases(sourceCode: SourceCode, within: Node | undefined): Dispatch[] {
  return below(sourceCode, within, 'SwitchStatement').flatMap(({ discriminant, cases: all }) =>
    all.flatMap(({ test }, index): Dispatch[] => {
      const method = stringOf(sourceCode, test);
      if (method === undefined || !isChange(method)) return [];
      const served = all.slice(index).find(({ consequent }) => consequent.length > 0);
      // A body that serves other methods as well may read what those carry.
      const sharers = all.filter(
        (one) => all.slice(all.indexOf(one)).find(({ consequent }) => consequent.length > 0) === served,
      );
      const isOwn = sharers.every((one) => isChange(stringOf(sourceCode, one.test)));
      return isOwn ? [{ method, asked: peel(discriminant), regions: served?.consequent ?? [] }] : [];
    }),
  );
}

function below<Type extends 'BinaryExpression' | 'SwitchStatement'>(
  sourceCode: SourceCode,
  within: Node | undefined,
  type: Type,
): readonly Extract<Node, { type: `${Type}` }>[] {
  const all = nodesOf(sourceCode).of(type) as readonly Extract<Node, { type: `${Type}` }>[];
  return within === undefined
    ? all
    : all.filter(({ range }) => within.range[0] <= range[0] && range[1] <= within.range[1]);
}

/** The params of the message that was asked for its method, within a region. */
function paramsIn(sourceCode: SourceCode, asked: Node, region: Node): Node[] {
  if (asked.type === 'MemberExpression' && memberName(asked) === 'method') {
    const message = plainText(sourceCode, asked.object);
    return find(
      sourceCode,
      region,
      (node): node is TSESTree.MemberExpression =>
        node.type === 'MemberExpression' &&
        memberName(node) === 'params' &&
        plainText(sourceCode, node.object) === message,
    );
  }
  // const { method, params } = message
  if (asked.type !== 'Identifier') return [];
  const pattern = patternOf(sourceCode, asked);
  if (pattern === undefined) return [];
  return find(
    sourceCode,
    region,
    (node): node is TSESTree.Identifier =>
      node.type === 'Identifier' &&
      node.name === 'params' &&
      node !== pattern &&
      patternOf(sourceCode, node) === pattern,
  );
}

function plainText(sourceCode: SourceCode, node: Node): string {
  return sourceCode.getText(peel(node)).replaceAll('?.', '.');
}

/** The pattern that takes a name out of an object. */
function patternOf(sourceCode: SourceCode, name: TSESTree.Identifier): Node | undefined {
  const definition = definitionOf(variableOf(sourceCode, name));
  const property = definition === undefined ? undefined : parentOf(definition.name);
  return property?.type === 'Property' ? parentOf(property) : undefined;
}

/** The params of a notification that a parameter is. */
function paramsOf(sourceCode: SourceCode, parameter: Node): Node[] {
  if (parameter.type === 'ObjectPattern') return takenAs(sourceCode, parameter, 'params');
  if (parameter.type !== 'Identifier') return [];
  return (variableOf(sourceCode, parameter)?.references ?? []).flatMap(({ identifier }): Node[] => {
    const node = dressed(identifier);
    const parent = parentOf(node);
    if (parent?.type === 'MemberExpression' && parent.object === node)
      return memberName(parent) === 'params' ? [parent] : [];
    return parent?.type === 'VariableDeclarator' && parent.id.type === 'ObjectPattern'
      ? takenAs(sourceCode, parent.id, 'params')
      : [];
  });
}

/** What a pattern makes of a member: the mentions of its name, or the pattern that takes it apart. */
function takenAs(sourceCode: SourceCode, pattern: TSESTree.ObjectPattern, name: string): Node[] {
  return pattern.properties.flatMap((property): Node[] => {
    if (property.type !== 'Property' || keyName(property) !== name) return [];
    const value = property.value.type === 'AssignmentPattern' ? property.value.left : property.value;
    if (value.type !== 'Identifier') return [value];
    const references = variableOf(sourceCode, value)?.references ?? [];
    return references.filter((one) => one.isRead()).map(({ identifier }) => identifier);
  });
}
