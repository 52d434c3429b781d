/** Functions that are registered on a server: what runs when a peer asks for something. */
import {
  REGISTERING,
  REQUEST_CONTEXT,
  REQUEST_CONTEXT_TYPES,
  SDK_SCOPE,
  SERVER_MEMBER,
} from '../../../src/protocol/index.js';
import {
  keyName,
  memberCall,
  memberName,
  peel,
  type FunctionNode,
  type MemberCall,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { definitionOf, variableOf } from './bindings.js';
import { nodesOf } from './nodes.js';
import { functionOf } from './origins.js';
import { serverOf, type SdkServer } from './servers.js';
import { typeOrigin } from './type-nodes.js';

/** A call that registers something on a server. */
export interface Registration extends MemberCall {
  readonly server: SdkServer;
  /** The handler, where it is in sight. */
  readonly handler: FunctionNode | undefined;
}

const REGISTERS = new Set<string>([
  ...REGISTERING.map(({ member }) => member),
  SERVER_MEMBER.setRequestHandler,
]);

const known = new WeakMap<SourceCode, readonly Registration[]>();

/** The calls of a file that register tools, prompts, resources and request handlers on servers. */
export function registrationsOf(sourceCode: SourceCode): readonly Registration[] {
  const before = known.get(sourceCode);
  if (before !== undefined) return before;
  const found = nodesOf(sourceCode)
    .of('CallExpression')
    .flatMap((node): Registration[] => {
      const called = memberCall(node);
      if (called === undefined || !REGISTERS.has(called.name)) return [];
      const server = serverOf(sourceCode, called.receiver);
      if (server === undefined) return [];
      const last = node.arguments.at(-1);
      return [{ ...called, server, handler: last === undefined ? undefined : functionOf(sourceCode, last) }];
    });
  known.set(sourceCode, found);
  return found;
}

/** The registration whose handler a function is. */
export function registrationOf(sourceCode: SourceCode, handler: FunctionNode): Registration | undefined {
  return registrationsOf(sourceCode).find((one) => one.handler === handler);
}

/**
 * Whether a call sends on the stream of the request that is being answered: `ctx.mcpReq.notify(…)` in version 2,
 * `extra.sendNotification(…)` in version 1.
 */
export function sendsOnRequestStream(sourceCode: SourceCode, call: TSESTree.CallExpression): boolean {
  const callee = peel(call.callee);
  if (callee.type === 'Identifier') {
    const [holder, path] = takenOutOf(sourceCode, callee);
    return holder && isSending(path);
  }
  if (callee.type !== 'MemberExpression') return false;
  const name = memberName(callee);
  const object = peel(callee.object);
  if (name === REQUEST_CONTEXT.sendNotification) return isContext(sourceCode, object);
  if (name !== REQUEST_CONTEXT.notify) return false;
  if (object.type === 'MemberExpression')
    return memberName(object) === REQUEST_CONTEXT.mcpReq && isContext(sourceCode, object.object);
  if (object.type !== 'Identifier') return false;
  const [holder, path] = takenOutOf(sourceCode, object);
  return holder && path.join('.') === REQUEST_CONTEXT.mcpReq;
}

function isSending(path: readonly string[]): boolean {
  const spelt = path.join('.');
  return (
    spelt === REQUEST_CONTEXT.sendNotification ||
    spelt === `${REQUEST_CONTEXT.mcpReq}.${REQUEST_CONTEXT.notify}`
  );
}

/** Whether a name is taken out of a request's context by a pattern, and by which path. */
function takenOutOf(sourceCode: SourceCode, name: TSESTree.Identifier): [isTaken: boolean, path: string[]] {
  const definition = definitionOf(variableOf(sourceCode, name));
  if (definition === undefined) return [false, []];
  if (definition.type === 'Variable') {
    const { id, init } = definition.node;
    const path = id.type === 'ObjectPattern' ? pathIn(id, definition.name) : undefined;
    if (path === undefined || init === null) return [false, []];
    const source = peel(init);
    if (isContext(sourceCode, source)) return [true, path];
    return source.type === 'MemberExpression' &&
      memberName(source) === REQUEST_CONTEXT.mcpReq &&
      isContext(sourceCode, source.object)
      ? [true, [REQUEST_CONTEXT.mcpReq, ...path]]
      : [false, []];
  }
  if (definition.type !== 'Parameter') return [false, []];
  const parameter = definition.node.params.at(-1);
  const path = parameter?.type === 'ObjectPattern' ? pathIn(parameter, definition.name) : undefined;
  return parameter !== undefined &&
    path !== undefined &&
    isContextParameter(sourceCode, definition.node, parameter)
    ? [true, path]
    : [false, []];
}

/** The keys by which a pattern reaches a name. */
function pathIn(pattern: TSESTree.ObjectPattern, name: Node): string[] | undefined {
  for (const property of pattern.properties) {
    if (property.type !== 'Property') continue;
    const key = keyName(property);
    if (key === undefined) continue;
    if (property.value === name) return [key];
    const inner = property.value.type === 'ObjectPattern' ? pathIn(property.value, name) : undefined;
    if (inner !== undefined) return [key, ...inner];
  }
  return undefined;
}

/** Whether an expression is the context that a request handler is given. */
function isContext(sourceCode: SourceCode, expression: Node): boolean {
  const node = peel(expression);
  if (node.type !== 'Identifier') return false;
  const definition = definitionOf(variableOf(sourceCode, node));
  if (definition?.type !== 'Parameter') return false;
  const parameter = definition.node.params.find((one) => one === definition.name);
  return parameter !== undefined && isContextParameter(sourceCode, definition.node, parameter);
}

function isContextParameter(sourceCode: SourceCode, owner: Node, parameter: Node): boolean {
  const annotation = 'typeAnnotation' in parameter ? parameter.typeAnnotation : undefined;
  const typed = typeOrigin(sourceCode, (annotation as TSESTree.TSTypeAnnotation | undefined)?.typeAnnotation);
  if (typed !== undefined)
    return (
      typed.imported.module.startsWith(SDK_SCOPE) &&
      (REQUEST_CONTEXT_TYPES as readonly string[]).includes(typed.imported.name)
    );
  const handler = owner as FunctionNode;
  return handler.params.at(-1) === parameter && registrationOf(sourceCode, handler) !== undefined;
}
