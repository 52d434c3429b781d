/** What reaches the listen streams of an HTTP handler: the handler, its notifier and its bus. */
import { HANDLER_MEMBER, SDK_SCOPE, SERVER_SYMBOL } from '../../../src/protocol/index.js';
import { keyName, memberName, peel, type Node, type SourceCode, type TSESTree } from '../ast.js';
import { definitionOf, variableOf } from './bindings.js';
import { originOf, type Origin } from './origins.js';

/** The handler that an expression stands for: what `createMcpHandler` returns. */
export function handlerOf(sourceCode: SourceCode, expression: Node): Origin | undefined {
  return originAmong(sourceCode, expression, [SERVER_SYMBOL.createMcpHandler, SERVER_SYMBOL.mcpHttpHandler]);
}

/** Where a notifier or a bus belongs to. */
export interface Channel {
  /** The handler, where that is in sight. */
  readonly handler: Origin | undefined;
}

/** `handler.notify`, a name for it, or a value of its type. */
export function notifierOf(sourceCode: SourceCode, expression: Node): Channel | undefined {
  return partOf(sourceCode, expression, HANDLER_MEMBER.notify, [SERVER_SYMBOL.serverNotifier]);
}

/** `handler.bus`, a name for it, a bus that the file makes, or a value of its type. */
export function busOf(sourceCode: SourceCode, expression: Node): Channel | undefined {
  return partOf(sourceCode, expression, HANDLER_MEMBER.bus, [
    SERVER_SYMBOL.serverEventBus,
    SERVER_SYMBOL.inMemoryServerEventBus,
  ]);
}

function partOf(
  sourceCode: SourceCode,
  expression: Node,
  member: string,
  types: readonly string[],
  depth = 0,
): Channel | undefined {
  const node = peel(expression);
  if (depth > 4) return undefined;
  if (node.type === 'MemberExpression' && memberName(node) === member) {
    const handler = handlerOf(sourceCode, node.object);
    if (handler !== undefined) return { handler };
  }
  if (node.type === 'Identifier') {
    const named = ofName(sourceCode, node, member, types, depth);
    if (named !== undefined) return named;
  }
  return originAmong(sourceCode, node, types) === undefined ? undefined : { handler: undefined };
}

/** `const notify = handler.notify` and `const { notify } = handler`. */
function ofName(
  sourceCode: SourceCode,
  node: TSESTree.Identifier,
  member: string,
  types: readonly string[],
  depth: number,
): Channel | undefined {
  const definition = definitionOf(variableOf(sourceCode, node));
  if (definition?.type !== 'Variable') return undefined;
  const { id, init } = definition.node;
  if (init === null) return undefined;
  if (id.type === 'Identifier') return partOf(sourceCode, init, member, types, depth + 1);
  if (id.type !== 'ObjectPattern') return undefined;
  const taken = id.properties.find(
    (one) => one.type === 'Property' && one.value === definition.name && keyName(one) === member,
  );
  const handler = taken === undefined ? undefined : handlerOf(sourceCode, init);
  return handler === undefined ? undefined : { handler };
}

function originAmong(sourceCode: SourceCode, expression: Node, names: readonly string[]): Origin | undefined {
  const origin = originOf(sourceCode, expression);
  return origin !== undefined &&
    origin.imported.module.startsWith(SDK_SCOPE) &&
    names.includes(origin.imported.name)
    ? origin
    : undefined;
}
