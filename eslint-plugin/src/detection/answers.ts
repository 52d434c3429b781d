/** What an HTTP request is answered with, as far as the code in sight tells. */
import { MEDIA_TYPE } from '../../../src/protocol/index.js';
import {
  memberCall,
  memberName,
  parentOf,
  peel,
  type FunctionNode,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { variableOf } from './bindings.js';
import { find } from './nodes.js';
import { objectOf, propertyOf, resolve } from './values.js';

/** `refusal` is a 405; `stream` and `other` are certainly something else; `unknown` where the code does not tell. */
export type Answer = 'refusal' | 'stream' | 'other' | 'unknown';

const METHOD_NOT_ALLOWED = 405;

/** Members of a response, reply or context that answer. */
const ANSWERING = new Set([
  ...['json', 'jsonp', 'send', 'sendStatus', 'sendFile', 'end', 'redirect', 'render', 'write', 'writeHead'],
  ...['text', 'html', 'body', 'newResponse', 'flushHeaders'],
]);

const STATUS_CALLS = new Set(['status', 'code', 'sendStatus', 'writeHead']);

const RESPONSE_CLASSES = new Set(['Response', 'NextResponse']);

/** What code inside of a request handler answers with. */
export function answerOf(sourceCode: SourceCode, root: Node, handler: FunctionNode): Answer {
  if (refuses(sourceCode, root)) return 'refusal';
  if (leavesItOpen(sourceCode, root, handler)) return 'unknown';
  const answers = find(sourceCode, root, (node): node is Node => isAnswer(sourceCode, node, handler));
  if (answers.length === 0) return 'unknown';
  return sourceCode.getText(root).includes(MEDIA_TYPE.eventStream) ? 'stream' : 'other';
}

/** A 405 anywhere: the code knows the duty, whatever else it does. */
function refuses(sourceCode: SourceCode, root: Node): boolean {
  return (
    find(sourceCode, root, (node): node is Node => {
      if (node.type === 'Literal') return node.value === METHOD_NOT_ALLOWED;
      if (node.type !== 'Identifier') return false;
      if (/method_?not_?allowed/i.test(node.name)) return true;
      const value = resolve(sourceCode, node);
      return value.type === 'Literal' && value.value === METHOD_NOT_ALLOWED;
    }).length > 0
  );
}

/** A status that cannot be read, a choice by `Accept`, a request that is passed on. */
function leavesItOpen(sourceCode: SourceCode, root: Node, handler: FunctionNode): boolean {
  return (
    find(sourceCode, root, (node): node is Node => {
      if (node.type === 'Literal') return typeof node.value === 'string' && /^accept$/i.test(node.value);
      if (node.type === 'Identifier') return /^accepts?$/i.test(node.name);
      if (node.type === 'NewExpression')
        return isResponse(node.callee) && hasOpenStatus(sourceCode, node.arguments[1]);
      if (node.type !== 'CallExpression') return false;
      return passesOn(sourceCode, node, handler) || callHasOpenStatus(sourceCode, node);
    }).length > 0
  );
}

function callHasOpenStatus(sourceCode: SourceCode, call: TSESTree.CallExpression): boolean {
  const called = memberCall(call);
  if (called === undefined) return false;
  if (STATUS_CALLS.has(called.name)) return !isNumber(sourceCode, call.arguments[0]);
  // Response.json(body, { status }), c.json(body, status)
  const [, status] = call.arguments;
  if (status === undefined || !ANSWERING.has(called.name)) return false;
  return !isNumber(sourceCode, status) && hasOpenStatus(sourceCode, status);
}

function isNumber(sourceCode: SourceCode, node: Node | undefined): boolean {
  if (node === undefined) return false;
  const value = resolve(sourceCode, node);
  return value.type === 'Literal' && typeof value.value === 'number';
}

/** Whether an object of options may set any status. */
function hasOpenStatus(sourceCode: SourceCode, init: Node | undefined): boolean {
  if (init === undefined) return false;
  const options = objectOf(sourceCode, init);
  if (options === undefined) return true;
  const status = propertyOf(options, 'status');
  return status === 'unknown' || (status !== undefined && !isNumber(sourceCode, status.value));
}

/** `next()`, `serve(req, res)`: somebody else may answer. */
function passesOn(sourceCode: SourceCode, call: TSESTree.CallExpression, handler: FunctionNode): boolean {
  if (isParameter(sourceCode, call.callee, handler)) return true;
  return call.arguments.some((argument) => {
    const given = argument.type === 'SpreadElement' ? argument.argument : argument;
    return isParameter(sourceCode, given, handler) && !isUrl(call);
  });
}

function isUrl(call: TSESTree.CallExpression): boolean {
  return call.callee.type === 'Identifier' && call.callee.name === 'URL';
}

function isAnswer(sourceCode: SourceCode, node: Node, handler: FunctionNode): boolean {
  if (node.type === 'NewExpression') return isResponse(node.callee);
  if (node.type === 'AssignmentExpression')
    return (
      node.left.type === 'MemberExpression' &&
      memberName(node.left) === 'body' &&
      isParameter(sourceCode, node.left.object, handler)
    );
  const called = memberCall(node);
  if (called === undefined) return false;
  return (
    isResponse(called.receiver) ||
    (ANSWERING.has(called.name) && comesFrom(sourceCode, called.receiver, handler))
  );
}

function isResponse(node: Node): boolean {
  return node.type === 'Identifier' && RESPONSE_CLASSES.has(node.name);
}

/** `res`, `res.status(200)`, `reply.raw`. */
function comesFrom(sourceCode: SourceCode, node: Node, handler: FunctionNode): boolean {
  const inner = peel(node);
  if (inner.type === 'MemberExpression') return comesFrom(sourceCode, inner.object, handler);
  if (inner.type === 'CallExpression') return comesFrom(sourceCode, inner.callee, handler);
  return isParameter(sourceCode, inner, handler);
}

/** Whether an expression is a parameter of a function, as it is. */
export function isParameter(sourceCode: SourceCode, node: Node, declared: FunctionNode): boolean {
  const inner = peel(node);
  if (inner.type !== 'Identifier') return false;
  const definition = variableOf(sourceCode, inner)?.defs[0];
  return definition?.type === 'Parameter' && definition.node === declared;
}

/** The functions whose parameters an expression is taken from: `req`, `c.req.raw`, `req.body`. */
export function parametersWithin(sourceCode: SourceCode, root: Node): FunctionNode[] {
  return find(sourceCode, root, (node): node is TSESTree.Identifier => node.type === 'Identifier').flatMap(
    (name) => {
      const parent = parentOf(name);
      if (parent?.type === 'MemberExpression' && parent.property === name && !parent.computed) return [];
      const definition = variableOf(sourceCode, name)?.defs[0];
      return definition?.type === 'Parameter' ? [definition.node as FunctionNode] : [];
    },
  );
}
