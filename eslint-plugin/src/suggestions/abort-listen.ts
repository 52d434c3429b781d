/** The edit that ends a listen by its AbortController instead of a message. */
import {
  dressedWithAwait,
  parentOf,
  peel,
  memberName,
  type Node,
  type SourceCode,
  type TSESLint,
} from '../ast.js';
import { variableOf } from '../detection/bindings.js';
import { enclosingClass } from '../detection/origins.js';
import { resolve } from '../detection/values.js';
import type { Post } from '../detection/wire-requests.js';
import { entryOf } from '../detection/wire-values.js';

/** At most one fix: none where no controller of the listen is in scope, or what the message is answered with is used. */
export function abortFixes(
  sourceCode: SourceCode,
  listen: Post,
  sending: Node,
): TSESLint.ReportFixFunction[] {
  const controller = controllerOf(sourceCode, listen);
  const expression = dressedWithAwait(sending);
  const statement = parentOf(expression);
  if (controller === undefined || statement?.type !== 'ExpressionStatement') return [];
  if (!isInScope(sourceCode, controller, sending) || sourceCode.getCommentsInside(expression).length > 0)
    return [];
  return [(fixer) => fixer.replaceText(expression, `${sourceCode.getText(controller)}.abort()`)];
}

/** `controller` of `signal: controller.signal`. */
function controllerOf(sourceCode: SourceCode, { options }: Post): Node | undefined {
  const signal = entryOf(sourceCode, options, 'signal');
  const member = signal === undefined || signal === 'unknown' ? undefined : peel(signal);
  if (member?.type !== 'MemberExpression' || memberName(member) !== 'signal') return undefined;
  const controller = resolve(sourceCode, member.object);
  const isMade =
    controller.type === 'NewExpression' &&
    controller.callee.type === 'Identifier' &&
    controller.callee.name === 'AbortController';
  const isField = member.object.type === 'MemberExpression' && member.object.object.type === 'ThisExpression';
  return isMade || isField ? member.object : undefined;
}

function isInScope(sourceCode: SourceCode, controller: Node, at: Node): boolean {
  if (controller.type !== 'Identifier') return enclosingClass(controller) === enclosingClass(at);
  const meant = variableOf(sourceCode, controller);
  for (
    let scope: TSESLint.Scope.Scope | null = sourceCode.getScope(at);
    scope !== null;
    scope = scope.upper
  ) {
    const found = scope.set.get(controller.name);
    if (found !== undefined) return found === meant;
  }
  return false;
}
