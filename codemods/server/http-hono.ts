/** What keeps a front of Hono away: whoever reads the body before it classifies leaves nothing to read. */
import { ts } from 'ts-morph';
import { usesOf } from '../../src/analysis/body-parsing.js';
import { handlersBehind } from '../../src/analysis/http-handlers.js';
import type { Route } from '../../src/analysis/http-route.js';
import { importedName } from '../../src/analysis/imported-names.js';
import { peel } from '../../src/analysis/syntax.js';
import type { Obstacle } from '../obstacle.js';
import type { HttpInput } from './http-plan.js';
import { shortText } from '../../src/analysis/short-text.js';

/** The first middleware in front that reads the body, or may. */
export function honoObstacle(post: Route, { facts, place }: HttpInput): Obstacle | undefined {
  const { world } = facts;
  if (handsOnUnreadBody(place.hosting.handled)) return undefined;
  const before = [
    ...(post.application === undefined ? [] : usesOf(post.application, world))
      .filter((use) => use.pos < post.node.pos)
      .flatMap((use) => [...use.arguments].filter((one) => !ts.isStringLiteralLike(one))),
    ...post.middleware,
  ];
  const at = before.find((one) => !leavesBody(one));
  return at === undefined
    ? undefined
    : {
        text: `${shortText(at, 40)} may read the body before the modern handler: then it has nothing left to classify`,
        at,
      };

  function leavesBody(middleware: ts.Expression): boolean {
    const inner = peel(middleware);
    const callee = ts.isCallExpression(inner) ? inner.expression : inner;
    if (importedName(callee, world)?.module.startsWith('hono/') === true) return true;
    const handlers = handlersBehind(inner, world);
    return handlers.length > 0 && handlers.every((handler) => !readsBody(handler));
  }
}

/** A route that hands on the request itself relies on nobody having read it. */
function handsOnUnreadBody(handled: readonly ts.CallExpression[]): boolean {
  return handled.some(({ arguments: given }) => given.length === 1);
}

function readsBody(handler: ts.Node): boolean {
  return /\.(?:json|text|parseBody|arrayBuffer|formData|blob)\s*\(|\.body\b/.test(handler.getText());
}
