/** The edit that publishes through a handler's notifier what is sent where no listener gets it. */
import { notifyCall } from '../../../src/codegen/publish.js';
import { NOTIFICATION, type PublisherRow } from '../../../src/protocol/index.js';
import {
  dressed,
  memberCall,
  parentOf,
  type Node,
  type SourceCode,
  type TSESLint,
  type TSESTree,
} from '../ast.js';
import { definitionOf, variableNamed } from '../detection/bindings.js';
import { runsLaterThan } from '../detection/later.js';
import { isOpen } from '../detection/named-functions.js';
import type { Publisher } from '../detection/publishers.js';
import { factoryAround, servingsOf } from '../detection/servers.js';

/** A notifier's call in place of a statement that sends; undefined where that would not be the same. */
export function notifyFix(
  sourceCode: SourceCode,
  { call, change, uri }: Publisher,
): TSESLint.ReportFixFunction | undefined {
  const factory = factoryAround(sourceCode, call);
  // At once, while the factory runs, every request would be a change.
  if (change === undefined || factory === undefined || !runsLaterThan(sourceCode, factory, call))
    return undefined;
  // An exported factory may be served by another entry in another file.
  const servings = servingsOf(sourceCode).map((serving) => serving.call);
  if (isOpen(sourceCode, factory, (use) => servings.includes(use))) return undefined;
  if ((change.notify === 'resourceUpdated') !== (uri !== undefined)) return undefined;
  const handler = handlerName(sourceCode, call);
  const replaced = wholeStatement(call);
  if (handler === undefined || replaced === undefined) return undefined;
  if (sourceCode.getCommentsInside(replaced).length > 0) return undefined;
  const text = notifyCall(handler, change, uri === undefined ? undefined : sourceCode.getText(uri));
  return (fixer) => fixer.replaceText(replaced, text);
}

/** The name of the one handler that serves the factory around a node, where it can be said there. */
function handlerName(sourceCode: SourceCode, node: Node): string | undefined {
  const [serving, ...others] = servingsOf(sourceCode).filter(({ entry }) => entry === 'http');
  if (serving === undefined || others.length > 0) return undefined;
  const declarator = parentOf(dressed(serving.call));
  if (declarator?.type !== 'VariableDeclarator' || declarator.id.type !== 'Identifier') return undefined;
  const { id } = declarator;
  if (declarator.parent.kind !== 'const') return undefined;
  return definitionOf(variableNamed(sourceCode, node, id.name))?.node === declarator ? id.name : undefined;
}

/** What a statement of nothing but the call consists of: `await`, `void` and an empty `catch` go with it. */
function wholeStatement(call: TSESTree.CallExpression): Node | undefined {
  let at = dressed(call);
  const caught = parentOf(at);
  const catching = caught === undefined ? undefined : parentOf(caught);
  if (catching?.type === 'CallExpression' && catching.callee === caught) {
    if (memberCall(catching)?.name !== 'catch' || !doesNothing(catching.arguments[0])) return undefined;
    at = dressed(catching);
  }
  const parent = parentOf(at);
  if (
    parent?.type === 'AwaitExpression' ||
    (parent?.type === 'UnaryExpression' && parent.operator === 'void')
  )
    at = parent;
  return parentOf(at)?.type === 'ExpressionStatement' ? at : undefined;
}

function doesNothing(handler: Node | undefined): boolean {
  return (
    handler?.type === 'ArrowFunctionExpression' &&
    ((handler.body.type === 'BlockStatement' && handler.body.body.length === 0) ||
      (handler.body.type === 'Identifier' && handler.body.name === 'undefined'))
  );
}

/** What takes the place of a publishing call, as a message names it. */
export function notifyReplacement(change: PublisherRow): string {
  return notifyCall('handler', change, change.notification === NOTIFICATION.resourceUpdated ? 'uri' : '');
}
