/** The HTTP handlers of `createMcpHandler` in a file, and what is made of them. */
import { HANDLER_MEMBER, SDK_SCOPE, SERVER_SYMBOL } from '../../../src/protocol/index.js';
import {
  dressedWithAwait,
  memberCall,
  memberName,
  parentOf,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { variableOf } from './bindings.js';
import { find, nodesOf } from './nodes.js';
import { originOf } from './origins.js';
import { sdkSymbolOf, servingsOf, type Serving } from './servers.js';

/** What an expression is, if it is a handler: `made` where its making is in sight. */
export interface McpHandler {
  readonly serving: Serving | undefined;
}

/** The handler that an expression stands for, also behind `toNodeHandler()`; undefined for everything else. */
export function mcpHandlerOf(sourceCode: SourceCode, expression: Node, depth = 0): McpHandler | undefined {
  const origin = originOf(sourceCode, expression);
  if (origin?.imported.module.startsWith(SDK_SCOPE) !== true || depth > 3) return undefined;
  switch (origin.imported.name) {
    case SERVER_SYMBOL.createMcpHandler:
      return { serving: servingsOf(sourceCode).find(({ call }) => call === origin.node) };
    case SERVER_SYMBOL.mcpHttpHandler:
      return { serving: undefined };
    case SERVER_SYMBOL.toNodeHandler: {
      const [wrapped] = origin.node.type === 'CallExpression' ? origin.node.arguments : [];
      const inner = wrapped === undefined ? undefined : mcpHandlerOf(sourceCode, wrapped, depth + 1);
      // What it wraps is a handler, wherever that is made.
      return inner ?? { serving: undefined };
    }
    default:
      return undefined;
  }
}

/** Whether a file may hold a handler at all. */
export function mayHoldHandler({ text }: SourceCode): boolean {
  return (
    text.includes(SERVER_SYMBOL.createMcpHandler) ||
    text.includes(SERVER_SYMBOL.toNodeHandler) ||
    text.includes(SERVER_SYMBOL.mcpHttpHandler)
  );
}

/** The handlers that code mentions. */
export function handlersIn(sourceCode: SourceCode, root: Node): McpHandler[] {
  if (!mayHoldHandler(sourceCode)) return [];
  return find(
    sourceCode,
    root,
    (node): node is Node =>
      node.type === 'Identifier' || node.type === 'MemberExpression' || node.type === 'CallExpression',
  ).flatMap((node) => {
    if (node.type === 'CallExpression' && sdkSymbolOf(sourceCode, node.callee) === undefined) return [];
    if (node.type === 'Identifier' && isName(node)) return [];
    return mcpHandlerOf(sourceCode, node) ?? [];
  });
}

/** `a.name`, `{ name: … }`: an identifier that stands for no value. */
function isName(node: TSESTree.Identifier): boolean {
  const parent = parentOf(node);
  if (parent?.type === 'MemberExpression') return parent.property === node && !parent.computed;
  return parent?.type === 'Property' && parent.key === node && !parent.shorthand && !parent.computed;
}

/** One use of the variable that holds a handler. */
export interface HandlerUse {
  readonly node: Node;
  /** `fetch`, `close`, `notify`, …: the member; `toNodeHandler` where it is wrapped; undefined where it goes elsewhere. */
  readonly member: string | undefined;
}

/** The declaration of the variable that a handler is kept in; undefined for a field, and where there is none. */
function declarationOf({ call }: Serving): TSESTree.VariableDeclarator | undefined {
  const parent = parentOf(dressedWithAwait(call));
  return parent?.type === 'VariableDeclarator' ? parent : undefined;
}

/** What is done with a handler that is kept in a variable; undefined where it is not. */
export function usesOfHandler(sourceCode: SourceCode, serving: Serving): HandlerUse[] | undefined {
  const declarator = declarationOf(serving);
  if (declarator?.id.type !== 'Identifier') return undefined;
  const variable = variableOf(sourceCode, declarator.id);
  const uses = (variable?.references ?? [])
    .filter((reference) => reference.init !== true)
    .map(({ identifier }) => useOf(sourceCode, identifier));
  const isExported = parentOf(declarator.parent)?.type === 'ExportNamedDeclaration';
  return isExported ? [...uses, { node: serving.call, member: undefined }] : uses;
}

function useOf(sourceCode: SourceCode, identifier: Node): HandlerUse {
  const parent = parentOf(identifier);
  if (parent?.type === 'MemberExpression' && parent.object === identifier)
    return { node: parent, member: memberName(parent) };
  if (
    parent?.type === 'CallExpression' &&
    sdkSymbolOf(sourceCode, parent.callee) === SERVER_SYMBOL.toNodeHandler
  )
    return { node: parent, member: SERVER_SYMBOL.toNodeHandler };
  return { node: identifier, member: undefined };
}

/** Whether a file closes any handler, by whatever name. */
export function closesHandler(sourceCode: SourceCode): boolean {
  return nodesOf(sourceCode)
    .of('CallExpression')
    .some((call) => {
      const called = memberCall(call);
      return called?.name === HANDLER_MEMBER.close && mcpHandlerOf(sourceCode, called.receiver) !== undefined;
    });
}
