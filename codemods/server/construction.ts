/** What a class of the application's own starts as it is constructed. */
import { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import type { Obstacle } from '../obstacle.js';
import { startedBy } from './building.js';

const DEPTH = 3;

/** A signal handler that ends the process does no harm when several instances have set it. */
const ENDING = /^process\.(?:on|once)\(\s*['"]SIG/;

/** Why a class cannot be constructed for each connection, if so. */
export function constructionObstacle(owner: ts.ClassLikeDeclaration, { world }: Facts): Obstacle | undefined {
  const built = owner.members.filter(
    (one) =>
      ts.isConstructorDeclaration(one) || (ts.isPropertyDeclaration(one) && one.initializer !== undefined),
  );
  for (const member of built) {
    const started = startedBy(member, world, DEPTH, new Set(), ENDING);
    if (started !== undefined)
      return {
        text: `${owner.name?.text ?? 'its class'} starts work as it is constructed, and serveStdio has one constructed for each connection: start it outside`,
        at: started,
      };
  }
  return undefined;
}

/** The same of what `new` constructs. */
export function madeObstacle(made: ts.Expression, facts: Facts): Obstacle | undefined {
  if (!ts.isNewExpression(made)) return undefined;
  const declaration = facts.world.checker.getTypeAtLocation(made).getSymbol()?.valueDeclaration;
  const isOwn = declaration !== undefined && ts.isClassLike(declaration) && !facts.world.isOurs(declaration);
  return isOwn ? constructionObstacle(declaration, facts) : undefined;
}
