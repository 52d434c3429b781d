/** What keeps a front of Fastify away: hooks and checks that would run behind it. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from '../../src/analysis/closed-world.js';
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
  const hook = callsOnFastify(post, facts.world).find(
    ({ call, member }) => member === 'addHook' && hookName(call) === 'preHandler' && call.pos > post.node.pos,
  );
  return hook === undefined
    ? undefined
    : {
        text: 'a preHandler hook is added behind its routes: add it above them, so that it runs before the modern handler',
        at: hook.call,
      };
}

/** Options that are written together with the handler, or that hold a schema which modern requests do not fit. */
export function optionsObstacle(
  { options: given, handler }: Route,
  { facts }: HttpInput,
): Obstacle | undefined {
  const options = given === undefined ? undefined : literalBehind(given, facts.world.checker);
  if (options === undefined) return undefined;
  const names = options.properties.map(({ name }) => (name === undefined ? '' : (propertyName(name) ?? '')));
  const isTogether = given === handler || names.includes('handler');
  const index = names.findIndex((name) => (isTogether ? !PLAIN.has(name) : name === 'schema'));
  const at = options.properties[index];
  return at === undefined
    ? undefined
    : { text: `its route has ${names[index] ?? ''}: decide what of it the modern handler gets`, at };
}

/** Options that say what a route is. */
const PLAIN: ReadonlySet<string> = new Set(['method', 'url', 'path', 'handler', 'config', 'logLevel']);

const PARSER = /^(?:addContentTypeParser|removeAllContentTypeParsers|removeContentTypeParser)$/;

/** A parser of the application's own. */
export function parserObstacle(post: Route, { facts }: HttpInput): Obstacle | undefined {
  const parser = callsOnFastify(post, facts.world).find(({ member }) => PARSER.test(member));
  return parser === undefined
    ? undefined
    : {
        text: 'its bodies are parsed in an own way: the modern handler needs JSON as Fastify parses it',
        at: parser.call,
      };
}

/** The calls on applications of Fastify in the file of a route. */
function callsOnFastify(post: Route, world: ClosedWorld): { call: ts.CallExpression; member: string }[] {
  return nodesOfInterest(post.node.getSourceFile()).operations.flatMap((node) => {
    const accessed = ts.isCallExpression(node) ? accessedMember(peel(node.expression)) : undefined;
    if (!ts.isCallExpression(node) || accessed === undefined) return [];
    const isLooked = accessed.member === 'addHook' || PARSER.test(accessed.member);
    const isFastify = isLooked && applicationOf(accessed.access.expression, world)?.framework === 'fastify';
    return isFastify ? [{ call: node, member: accessed.member }] : [];
  });
}

function hookName(call: ts.CallExpression): string {
  const [name] = call.arguments;
  return name !== undefined && ts.isStringLiteralLike(name) ? name.text : '';
}
