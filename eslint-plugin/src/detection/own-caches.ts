/** Caches that a file keeps by itself, with a time to live: who reads through them, and who drops what they hold. */
import {
  contains,
  memberCall,
  memberName,
  parentOf,
  peel,
  type FunctionNode,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { nodesOf } from './nodes.js';
import { functionOf } from './origins.js';

/** A read that may be answered from a cache. */
export interface CachedRead {
  readonly call: TSESTree.CallExpression;
  readonly name: string;
}

/** The calls in a handler of functions that answer from their own cache while it is fresh. */
export function cachedReads(sourceCode: SourceCode, handler: FunctionNode): CachedRead[] {
  return nodesOf(sourceCode)
    .of('CallExpression')
    .flatMap((call): CachedRead[] => {
      if (!contains(handler.body, call)) return [];
      const declared = functionOf(sourceCode, call.callee);
      // `load(true)` and `load({ force: true })` may read past it.
      const isTold =
        call.arguments.length > (declared?.params.length ?? 0) || call.arguments.some((one) => isFlag(one));
      return declared === undefined || isTold || !answersFromCache(sourceCode, declared)
        ? []
        : [{ call, name: nameOf(peel(call.callee)) }];
    });
}

function isFlag(argument: TSESTree.CallExpressionArgument): boolean {
  return (
    argument.type === 'ObjectExpression' ||
    (argument.type === 'Literal' && typeof argument.value === 'boolean')
  );
}

function nameOf(callee: Node): string {
  if (callee.type === 'Identifier') return callee.name;
  return callee.type === 'MemberExpression' ? (memberName(callee) ?? '') : '';
}

/** `if (Date.now() < expires) return cached;` */
function answersFromCache(sourceCode: SourceCode, declared: FunctionNode): boolean {
  return nodesOf(sourceCode)
    .of('IfStatement')
    .some(({ test, consequent, parent }) => {
      if (!contains(declared.body, test) || parent !== declared.body) return false;
      const last = consequent.type === 'BlockStatement' ? consequent.body.at(-1) : consequent;
      if (last?.type !== 'ReturnStatement' || last.argument === null) return false;
      return asksForAge(sourceCode, test) && !isCall(last.argument);
    });
}

function isCall(node: Node): boolean {
  const value = peel(node);
  return value.type === 'CallExpression' && memberCall(value)?.name !== 'get';
}

/** A comparison of the time that holds while an entry is young. */
function asksForAge(sourceCode: SourceCode, test: Node): boolean {
  return nodesOf(sourceCode)
    .of('BinaryExpression')
    .some((comparison) => {
      if (!contains(test, comparison) || !/^[<>]=?$/.test(comparison.operator)) return false;
      const [small, large] = comparison.operator.startsWith('<')
        ? [comparison.left, comparison.right]
        : [comparison.right, comparison.left];
      const [low, high] = [sourceCode.getText(small), sourceCode.getText(large)];
      // now - at < ttl, now < expires
      return /Date\.now\(\)|performance\.now\(\)|\bnow\b/.test(low) && !/Date\.now\(\)|\bnow\b/.test(high);
    });
}

const DROPS = /delete|clear|invalidate|evict|drop|expire|purge|reset|stale|bust|remove/i;

/** Whether a handler, or what it calls in the file, drops something that is held. */
export function dropsEntry(sourceCode: SourceCode, handler: FunctionNode, depth = 0): boolean {
  const nodes = nodesOf(sourceCode);
  const calls = nodes.of('CallExpression').filter((call) => contains(handler.body, call));
  if (calls.some((call) => DROPS.test(nameOf(peel(call.callee))))) return true;
  const isAssigned = nodes
    .of('AssignmentExpression')
    .some((node) => contains(handler.body, node) && isEmpty(node.right));
  const isDeleted = nodes
    .of('UnaryExpression')
    .some(({ operator, range }) => operator === 'delete' && contains(handler.body, { range } as Node));
  if (isAssigned || isDeleted) return true;
  return (
    depth < 2 &&
    calls.some((call) => {
      const declared = functionOf(sourceCode, call.callee);
      return (
        declared !== undefined &&
        parentOf(declared) !== undefined &&
        declared !== handler &&
        dropsEntry(sourceCode, declared, depth + 1)
      );
    })
  );
}

/** `cached = undefined`, `entry.expires = 0`, `stale = true` */
function isEmpty(value: Node): boolean {
  const node = peel(value);
  return (
    (node.type === 'Literal' &&
      (node.value === null || node.value === 0 || node.value === true || node.value === false)) ||
    (node.type === 'Identifier' && node.name === 'undefined') ||
    (node.type === 'UnaryExpression' && node.operator === 'void') ||
    node.type === 'NewExpression'
  );
}
