/** A server that goes where this analysis cannot follow, or comes from there. */
import { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import { dressed, peel } from '../../src/analysis/syntax.js';
import { SDK_SCOPE } from '../../src/protocol/index.js';
import type { Obstacle } from '../obstacle.js';
import { shortText } from '../../src/analysis/short-text.js';

/** Code out of sight may publish, or ask the client for something, as long as it holds the server. */
export function serverOutOfSight(group: ServerGroup, facts: Facts): Obstacle | undefined {
  const escape = group.escapes.find((node) => isGivenAway(node, facts));
  if (escape !== undefined) {
    const call = dressed(escape).parent;
    const receiver = ts.isCallExpression(call) || ts.isNewExpression(call) ? call.expression : escape;
    return {
      text: `the server is handed to ${callText(receiver)} in ${facts.unitOf(escape).path}, whose code is out of sight`,
      at: escape,
    };
  }
  const [origin] = group.creations.length === 0 ? group.origins : [];
  return origin === undefined
    ? undefined
    : {
        text: `where the server in ${facts.unitOf(origin).path} is made is out of sight`,
        at: origin,
      };
}

/** An export is followed to its importers; packages of the SDK's own scope only add to a server. */
function isGivenAway(node: ts.Node, facts: Facts): boolean {
  const call = dressed(node).parent;
  if (!ts.isCallExpression(call) && !ts.isNewExpression(call)) return false;
  const callee = peel(call.expression);
  const name = ts.isPropertyAccessExpression(callee) ? rootOf(callee) : callee;
  return !ts.isIdentifier(name) || !comesFromSdk(name, facts);
}

function rootOf(access: ts.PropertyAccessExpression): ts.Expression {
  const inner = peel(access.expression);
  return ts.isPropertyAccessExpression(inner) ? rootOf(inner) : inner;
}

function comesFromSdk(name: ts.Identifier, { world }: Facts): boolean {
  const declarations = world.checker.getSymbolAtLocation(name)?.declarations ?? [];
  return declarations.some((declaration) => {
    let node: ts.Node = declaration;
    while (!ts.isImportDeclaration(node) && !ts.isSourceFile(node)) node = node.parent;
    return (
      ts.isImportDeclaration(node) &&
      ts.isStringLiteral(node.moduleSpecifier) &&
      node.moduleSpecifier.text.startsWith(SDK_SCOPE)
    );
  });
}

function callText(expression: ts.Node): string {
  const text = shortText(expression, 40);
  return text.endsWith('…') ? text : `${text}()`;
}
