/** What keeps a front of Fastify away: hooks and checks that would run behind it. */
import { ts } from 'ts-morph';
import { literalBehind } from '../../src/analysis/constants.js';
import { applicationOf } from '../../src/analysis/http-frameworks.js';
import type { Route } from '../../src/analysis/http-route.js';
import { nodesOfInterest } from '../../src/analysis/nodes-of-interest.js';
import { accessedMember, peel, propertyName } from '../../src/analysis/syntax.js';
import type { Obstacle } from '../obstacle.js';
import type { HttpInput } from './http-plan.js';

/** Options of a route that decide nothing about a request, or run before the hook. */
const HARMLESS: ReadonlySet<string> = new Set([
  'method',
  'url',
  'path',
  'handler',
  'onRequest',
  'preParsing',
  'preValidation',
  'config',
  'logLevel',
  'bodyLimit',
]);

/** Hooks that run with ours or behind it. */
const LATE_HOOK = /^preHandler$/;

export function fastifyObstacle(post: Route, { facts }: HttpInput): Obstacle | undefined {
  const options = post.options === undefined ? undefined : literalBehind(post.options, facts.world.checker);
  if (post.options !== undefined && options === undefined)
    return {
      text: 'the options of its route are out of sight: what they check has to run before the modern handler',
      at: post.node,
    };
  const late = options?.properties.find(
    (property) => property.name === undefined || !HARMLESS.has(propertyName(property.name) ?? ''),
  );
  if (late !== undefined)
    return {
      text: `its route has ${late.name?.getText() ?? 'options of its own'}, which runs behind the modern handler or refuses its requests: move it into onRequest`,
      at: late,
    };
  for (const node of nodesOfInterest(post.node.getSourceFile()).operations) {
    if (!ts.isCallExpression(node)) continue;
    const accessed = accessedMember(peel(node.expression));
    if (accessed === undefined) continue;
    const isOfParser = /^(?:addContentTypeParser|removeAllContentTypeParsers|removeContentTypeParser)$/.test(
      accessed.member,
    );
    const isHook =
      accessed.member === 'addHook' && LATE_HOOK.test(hookName(node)) && node.pos > post.node.pos;
    if (!isOfParser && !isHook) continue;
    if (applicationOf(accessed.access.expression, facts.world)?.framework !== 'fastify') continue;
    return isHook
      ? {
          text: 'a preHandler hook is added behind its routes: add it above them, so that it runs before the modern handler',
          at: node,
        }
      : {
          text: 'its bodies are parsed in an own way: the modern handler needs JSON as Fastify parses it',
          at: node,
        };
  }
  return undefined;
}

function hookName(call: ts.CallExpression): string {
  const [name] = call.arguments;
  return name !== undefined && ts.isStringLiteralLike(name) ? name.text : '';
}
