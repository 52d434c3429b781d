/** Whether an object goes out as it is spelt: into JSON, through functions of the file that add nothing to it. */
import {
  dressedWithAwait,
  enclosingFunction,
  isFunction,
  memberCall,
  parentOf,
  peel,
  type FunctionNode,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { variableOf } from './bindings.js';
import { nodesOf } from './nodes.js';
import { functionOf } from './origins.js';
import { isStringify } from './wire.js';
import { entryOf, isWrittenThrough } from './wire-values.js';

/** Members of a message: what says one of them again replaces it. */
const REPLACED = ['params', 'result', 'method'];

/** Whether the value of an expression certainly is written out without a change. */
export function goesOutAsSpelt(sourceCode: SourceCode, node: Node, depth = 0): boolean {
  if (depth > 6) return false;
  const outer = dressedWithAwait(node);
  const parent = parentOf(outer);
  const next = (inner: Node): boolean => goesOutAsSpelt(sourceCode, inner, depth + 1);
  switch (parent?.type) {
    case 'CallExpression':
      return isCallee(parent, outer) ? false : goesOutThrough(sourceCode, parent, outer, depth);
    case 'ConditionalExpression':
      return parent.test !== outer && next(parent);
    case 'LogicalExpression':
    case 'TemplateLiteral':
    case 'BinaryExpression':
      return next(parent);
    case 'VariableDeclarator':
      return parent.id.type === 'Identifier' && namesGoOut(sourceCode, parent.id, depth);
    case 'SpreadElement': {
      // { jsonrpc: '2.0', ...message }
      const object = parentOf(parent);
      return (
        object?.type === 'ObjectExpression' &&
        REPLACED.every((name) => !isSetAgain(sourceCode, object, name, parent)) &&
        next(object)
      );
    }
    case 'ReturnStatement':
      return resultsGoOut(sourceCode, enclosingFunction(parent), depth);
    case 'ArrowFunctionExpression':
      return parent.body === outer && resultsGoOut(sourceCode, parent, depth);
    default:
      return false;
  }
}

function isCallee(call: TSESTree.CallExpression, node: Node): boolean {
  return call.callee === node;
}

function isSetAgain(
  sourceCode: SourceCode,
  object: TSESTree.ObjectExpression,
  name: string,
  spread: TSESTree.SpreadElement,
): boolean {
  const others = object.properties.filter((property) => property !== spread);
  return entryOf(sourceCode, { ...object, properties: others }, name) !== undefined;
}

function goesOutThrough(
  sourceCode: SourceCode,
  call: TSESTree.CallExpression,
  argument: Node,
  depth: number,
): boolean {
  // res.json(message), Response.json(message)
  if (isStringify(call) || memberCall(call)?.name === 'json') return call.arguments[0] === argument;
  const parameter = functionOf(sourceCode, call.callee)?.params[
    call.arguments.findIndex((one) => one === argument)
  ];
  return parameter?.type === 'Identifier' && namesGoOut(sourceCode, parameter, depth);
}

function namesGoOut(sourceCode: SourceCode, name: TSESTree.Identifier, depth: number): boolean {
  const references = variableOf(sourceCode, name)?.references ?? [];
  return (
    !references.some(({ identifier }) => isWrittenThrough(identifier)) &&
    references.some(
      ({ identifier }) => identifier !== name && goesOutAsSpelt(sourceCode, identifier, depth + 1),
    )
  );
}

function resultsGoOut(sourceCode: SourceCode, declared: FunctionNode | undefined, depth: number): boolean {
  if (declared === undefined) return false;
  return nodesOf(sourceCode)
    .of('CallExpression')
    .some(
      (call) =>
        !isFunction(peel(call.callee)) &&
        functionOf(sourceCode, call.callee) === declared &&
        goesOutAsSpelt(sourceCode, call, depth + 1),
    );
}
