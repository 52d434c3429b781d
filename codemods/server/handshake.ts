/** What a server does once its client has shaken hands, which no client of 2026-07-28 does (T38). */
import { ts } from 'ts-morph';
import { conditionsAt } from '../../src/analysis/conditions.js';
import type { Facts } from '../../src/analysis/facts.js';
import { referencesOf } from '../../src/analysis/references.js';
import { functionsBehind } from '../../src/analysis/server-entries.js';
import { isTestFile } from '../../src/analysis/server-emits.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import { publishersOf } from '../../src/analysis/server-publishers.js';
import {
  accessedMember,
  around,
  contains,
  dressed,
  enclosingFunction,
  isAssigned,
  isFunction,
  iterationOf,
} from '../../src/analysis/syntax.js';
import { MODERN_REVISION, OF_THE_HANDSHAKE, SERVER_MEMBER } from '../../src/protocol/index.js';
import type { Obstacle } from '../obstacle.js';
import type { Destination } from './move.js';

/** What waits for the handshake, or asks what it said, before it publishes: on a modern connection it would be silent. */
export function waitsForHandshake(group: ServerGroup, facts: Facts, to: Destination): Obstacle | undefined {
  if (to === 'served') return undefined;
  for (const { access, member } of group.members) {
    if (isTestFile(access)) continue;
    const { path } = facts.unitOf(access);
    if (member === SERVER_MEMBER.oninitialized && isAssigned(access) && !onlyPublishes(access, group, facts))
      return {
        text: `its ${member} in ${path} does not run for a ${MODERN_REVISION} client, which sends no such notification: let what it starts or opens be so from the start`,
        at: access,
      };
    if (OF_THE_HANDSHAKE.includes(member) && decidesAboutPublishing(access, group, facts))
      return {
        text: `${member}() in ${path} decides about what it publishes, and knows nothing of a ${MODERN_REVISION} client: publish whatever the client can do`,
        at: access,
      };
  }
  return undefined;
}

/** Whether a node is part of the function that runs when the handshake is done. */
export function isBehindHandshake(node: ts.Node): boolean {
  const handler = around(node, (one) => {
    if (!isFunction(one)) return false;
    const { parent } = dressed(one);
    return (
      ts.isBinaryExpression(parent) && accessedMember(parent.left)?.member === SERVER_MEMBER.oninitialized
    );
  });
  return handler !== undefined;
}

/** A change that is told at the beginning is nothing that a client misses which lists when it has connected. */
function onlyPublishes(access: ts.Node, group: ServerGroup, { world }: Facts): boolean {
  const { parent } = dressed(access);
  const value = ts.isBinaryExpression(parent) ? parent.right : undefined;
  const functions = value === undefined ? [] : functionsBehind(world, value);
  const publishers = publishersOf(world, group);
  return (
    functions.length > 0 &&
    functions.every((owner) => {
      const { body } = owner as ts.FunctionLikeDeclaration;
      const parts = body === undefined ? [undefined] : ts.isBlock(body) ? [...body.statements] : [body];
      return parts.every(
        (part) =>
          part !== undefined && (isLog(part) || publishers.some(({ node }) => isAllOf(part, node, owner))),
      );
    })
  );
}

/** Whether a part of a body is the emit and nothing else that changes anything. */
function isAllOf(part: ts.Node, emit: ts.Node, owner: ts.Node): boolean {
  const runsIn = enclosingFunction(emit);
  // In a callback, such as a timer's, it is told again and again, or later.
  const isNow = runsIn === owner || (runsIn !== undefined && iterationOf(runsIn) !== undefined);
  return isNow && (ts.isExpressionStatement(part) || ts.isExpression(part)) && contains(part, emit);
}

function isLog(part: ts.Node): boolean {
  return /^(?:void\s+)?(?:console|\w*log(?:ger)?)\b/i.test(part.getText());
}

/** How far the function that asks is followed to those that call it. */
const DEPTH = 2;

/** Whether an emit depends on what the handshake has said, here or in a function that this one answers. */
function decidesAboutPublishing(access: ts.Node, group: ServerGroup, { world }: Facts): boolean {
  const publishers = publishersOf(world, group);
  const decides = (asked: ts.Node, depth: number): boolean => {
    const owner = enclosingFunction(asked);
    if (owner === undefined) return false;
    const names = namesOf(asked, owner);
    if (publishers.some(({ node }) => contains(owner, node) && dependsOn(node, asked, names, owner)))
      return true;
    return (
      depth > 0 &&
      referencesOf(world)
        .callsOf(owner)
        .some((call) => decides(call, depth - 1))
    );
  };
  return decides(access, DEPTH);
}

/** The names that the answer, and what is made of it, is kept under: `const { listChanged } = capabilitiesOf(server)` */
function namesOf(asked: ts.Node, owner: ts.Node): RegExp | undefined {
  let names: RegExp | undefined;
  const known: string[] = [];
  const visit = (node: ts.Node): void => {
    const { initializer } = ts.isVariableDeclaration(node) ? node : {};
    if (
      initializer !== undefined &&
      (contains(initializer, asked) || names?.test(initializer.getText()) === true)
    ) {
      known.push(...((node as ts.VariableDeclaration).name.getText().match(/[\w$]+/g) ?? []));
      names = new RegExp(`(?<![\\w$])(?:${known.join('|').replaceAll('$', '\\$')})(?![\\w$])`);
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(owner, visit);
  return names;
}

/** Whether a condition around an emit, or one that leaves before it, is about the answer. */
function dependsOn(emit: ts.Node, asked: ts.Node, names: RegExp | undefined, owner: ts.Node): boolean {
  const isAbout = (condition: ts.Expression): boolean =>
    contains(condition, asked) || names?.test(condition.getText()) === true;
  for (let child = emit; child !== owner; child = child.parent) {
    const { parent } = child;
    // `||` and `??` decide as well.
    const isDecided = ts.isBinaryExpression(parent) && child === parent.right && isAbout(parent.left);
    if (isDecided || conditionsAt(child).some(isAbout)) return true;
  }
  return false;
}
