/** What only the routes of 2025 keep up to date, where it decides about an emit: a modern client never gets into it. */
import { ts } from 'ts-morph';
import { conditionsAt } from '../../src/analysis/conditions.js';
import type { Facts } from '../../src/analysis/facts.js';
import { hostingOf } from '../../src/analysis/http-hosting.js';
import { isFactory } from '../../src/analysis/publisher-reach.js';
import { namedHolder, referencesOf } from '../../src/analysis/references.js';
import { functionsBehind } from '../../src/analysis/server-entries.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import type { Publisher } from '../../src/analysis/server-publisher.js';
import { shortText } from '../../src/analysis/short-text.js';
import { contains, dressed, enclosingFunction } from '../../src/analysis/syntax.js';
import { cellOf, isWrite } from '../../src/analysis/written-state.js';
import { STARTING } from './building.js';

/** Functions between an emit and what decides about calling it. */
const DEPTH = 3;

/** Why modern clients may never be told of what a publisher emits, if so. */
export function decidedBySessions(
  publisher: Publisher,
  group: ServerGroup,
  facts: Facts,
): string | undefined {
  const places = hostingOf(facts.world, group).flatMap(({ routes, functions }) => [
    ...functions,
    ...routes.flatMap(({ handlers }) => handlers),
  ]);
  if (places.length === 0) return undefined;
  const { fanOut } = publisher;
  return whyAt({ node: fanOut ?? publisher.node, isStarted: false }, DEPTH, {
    places,
    group,
    facts,
    seen: new Set(),
    fanOut,
  });
}

interface Climb {
  readonly places: readonly ts.Node[];
  readonly group: ServerGroup;
  readonly facts: Facts;
  readonly seen: Set<ts.Node>;
  readonly fanOut: ts.Node | undefined;
}

interface Step {
  readonly node: ts.Node;
  /** Whether a timer, watcher or listener runs what has been climbed from. */
  readonly isStarted: boolean;
}

function whyAt({ node, isStarted }: Step, depth: number, climb: Climb): string | undefined {
  const { facts, places, group, seen, fanOut } = climb;
  const owner = enclosingFunction(node);
  for (let current = node; current !== owner && !ts.isSourceFile(current); current = current.parent) {
    const asked = conditionsAt(current).find(
      (one) => !(fanOut !== undefined && contains(fanOut, one)) && readsKept(one, places, facts, DEPTH),
    );
    if (asked !== undefined)
      return `it depends on ${shortText(asked, 50)}, which only sessions of 2025 change: publish whether one is open or not`;
  }
  if (owner === undefined || isFactory(group, owner) || seen.has(owner)) return undefined;
  if (places.some((place) => contains(place, owner)))
    return isStarted
      ? 'it runs by what only a session of 2025 starts: start that with the process'
      : undefined;
  if (depth === 0) return undefined;
  seen.add(owner);
  for (const step of stepsFrom(owner, isStarted, facts)) {
    const why = whyAt(step, depth - 1, climb);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** Where a function is called, or what it is handed to; what the SDK is handed, requests run. */
function stepsFrom(owner: ts.SignatureDeclaration, isStarted: boolean, { world }: Facts): Step[] {
  const isForeign = (call: ts.CallExpression): boolean => {
    const declaration = world.checker.getResolvedSignature(call)?.declaration;
    return declaration !== undefined && world.isSdk(declaration);
  };
  const called = referencesOf(world).callsOf(owner);
  const given = givenTo(owner);
  const names = namedHolder(owner);
  const handed =
    names === undefined
      ? []
      : referencesOf(world)
          .to(names)
          .flatMap((name) => givenTo(name) ?? []);
  return [
    ...called.map((node) => ({ node, isStarted })),
    ...[...(given === undefined ? [] : [given]), ...handed]
      .filter((call) => !isForeign(call))
      .map((node) => ({
        node,
        isStarted: isStarted || STARTING.test(node.expression.getText()),
      })),
  ];
}

/** `setInterval(poll, 1000)` */
function givenTo(value: ts.Node): ts.CallExpression | undefined {
  const call = dressed(value).parent;
  return ts.isCallExpression(call) && call.expression !== dressed(value) ? call : undefined;
}

/** Whether an expression reads, also through a constant made from it, what nothing but those places writes. */
function readsKept(expression: ts.Node, places: readonly ts.Node[], facts: Facts, depth: number): boolean {
  let found = false;
  const visit = (node: ts.Node): void => {
    if (found) return;
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) found = isKept(node, places, facts, depth);
    else if (ts.isCallExpression(node) && depth > 0)
      found = functionsBehind(facts.world, node.expression).some((called) => {
        const { body } = called as ts.FunctionLikeDeclaration;
        return body !== undefined && isShort(body) && readsKept(body, places, facts, depth - 1);
      });
    ts.forEachChild(node, visit);
  };
  visit(expression);
  return found;
}

/** A function that does nothing but answer a question: `hasSessions()`. */
function isShort(body: ts.Node): boolean {
  return !ts.isBlock(body) || (body.statements.length === 1 && body.statements.every(ts.isReturnStatement));
}

function isKept(
  name: ts.Identifier | ts.PrivateIdentifier,
  places: readonly ts.Node[],
  facts: Facts,
  depth: number,
): boolean {
  const { world } = facts;
  const cell = cellOf(name, world);
  if (cell === undefined || !(ts.isVariableDeclaration(cell) || ts.isPropertyDeclaration(cell))) return false;
  const writes = referencesOf(world).to(cell).filter(isWrite);
  const isPlaced = (write: ts.Node): boolean => places.some((place) => contains(place, write));
  if (writes.length > 0) return writes.every(isPlaced);
  const { initializer } = cell;
  const isInner = enclosingFunction(cell) !== undefined;
  return (
    isInner && depth > 0 && initializer !== undefined && readsKept(initializer, places, facts, depth - 1)
  );
}
