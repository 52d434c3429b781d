/** What a listen branch leaves running, and to whom it leaves its stream. */
import { isCall, memberCall, type Node, type SourceCode } from '../ast.js';
import { definitionOf, variableOf } from './bindings.js';
import { find } from './nodes.js';
import { functionOf } from './origins.js';
import type { ListenBranch } from './wire-branches.js';

/** Whether a branch starts a timer that repeats, or registers at an emitter. */
export function keepsTimer(sourceCode: SourceCode, { region }: ListenBranch): boolean {
  return region
    .flatMap((root) => find(sourceCode, root, isCall))
    .some(({ callee }) =>
      callee.type === 'Identifier'
        ? callee.name === 'setInterval'
        : callee.type === 'MemberExpression' &&
          callee.property.type === 'Identifier' &&
          ['on', 'addListener', 'subscribe'].includes(callee.property.name),
    );
}

const CONTAINER_METHODS = new Set(['set', 'add', 'push', 'delete', 'get', 'has']);

/** Whether a branch hands a parameter of its handler, such as the response, to code that is out of sight. */
export function handsOnResponse(sourceCode: SourceCode, { region }: ListenBranch): boolean {
  return region
    .flatMap((root) => find(sourceCode, root, isCall))
    .some(
      (call) =>
        functionOf(sourceCode, call.callee) === undefined &&
        !CONTAINER_METHODS.has(memberCall(call)?.name ?? '') &&
        call.arguments.some((argument) => isBareParameter(sourceCode, argument)),
    );
}

/** A parameter handed on as it is; `id` and the like are values, which nobody can write to. */
function isBareParameter(sourceCode: SourceCode, argument: Node): boolean {
  if (argument.type !== 'Identifier' || /id$|params|message|data|body|method/i.test(argument.name))
    return false;
  return definitionOf(variableOf(sourceCode, argument))?.type === 'Parameter';
}
