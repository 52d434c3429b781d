/** Routes that say that their verb is not allowed (I9). */
import { ts } from 'ts-morph';
import type { ClosedWorld } from '../../src/analysis/closed-world.js';
import { handlersBehind } from '../../src/analysis/http-handlers.js';
import type { Route } from '../../src/analysis/http-route.js';

/** Whether all that a route answers is 405. */
export function answersOnlyMethodNotAllowed(route: Route, world: ClosedWorld): boolean {
  const handlers = handlersBehind(route.handler, world);
  return handlers.length > 0 && handlers.every((handler) => refuses(handler));
}

function refuses(handler: ts.SignatureDeclaration): boolean {
  const statuses: string[] = [];
  const branches: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isNumericLiteral(node) && /^[2-5]\d\d$/.test(node.text)) statuses.push(node.text);
    if (ts.isIfStatement(node) || ts.isConditionalExpression(node) || ts.isSwitchStatement(node))
      branches.push(node);
    ts.forEachChild(node, visit);
  };
  visit(handler);
  return branches.length === 0 && statuses.length > 0 && statuses.every((status) => status === '405');
}
