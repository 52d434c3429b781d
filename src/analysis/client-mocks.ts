/** What tests put in the place of a client's methods. */
import { ts } from 'ts-morph';
import type { Cell } from './cells.js';
import type { MockMember } from './client-group.js';
import { SUBSCRIPTION_ACTIONS } from './client-subscriptions.js';
import type { ClosedWorld } from './closed-world.js';
import { nodesOfInterest } from './nodes-of-interest.js';
import { dressed, enclosingFunction, literalText, propertyOf } from './syntax.js';
import type { MemberUse } from './flow.js';

const METHODS = Object.keys(SUBSCRIPTION_ACTIONS);

/** A reference that only a test makes: an assertion about the method, an assignment to it, the settings of a mock. */
export function isTestUse(use: MemberUse): boolean {
  const access = dressed(use.access);
  const { parent } = access;
  if (ts.isPropertyAccessExpression(parent)) return parent.name.text.startsWith('mock');
  if (ts.isCallExpression(parent))
    return /(?:^|\.)(?:expect|mocked|assert\w*)$/.test(parent.expression.getText());
  return isAssignedMock(use);
}

/** `client.subscribeResource = vi.fn()` */
export function isAssignedMock(use: MemberUse): boolean {
  const access = dressed(use.access);
  return (
    ts.isBinaryExpression(access.parent) &&
    access.parent.left === access &&
    access.parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
  );
}

/** `vi.spyOn(client, 'subscribeResource')` */
export function spiesAmong(escapes: readonly ts.Node[]): MockMember[] {
  return escapes.flatMap((node) => {
    const call = node.parent;
    if (!ts.isCallExpression(call) || !call.expression.getText().endsWith('spyOn')) return [];
    const method = literalText(call.arguments[1]);
    return method !== undefined && METHODS.includes(method) ? [{ node: call }] : [];
  });
}

/** Objects with these methods that go where a client of the group goes. */
export function mockMembers(world: ClosedWorld, cells: readonly Cell[]): MockMember[] {
  const held = new Set(cells);
  return lookAlikesIn(world).flatMap(({ object, holder }) =>
    held.has(holder)
      ? METHODS.flatMap((name) => propertyOf(object, name) ?? []).map((node) => ({ node }))
      : [],
  );
}

interface LookAlike {
  readonly object: ts.ObjectLiteralExpression;
  /** What it is put into. */
  readonly holder: Cell;
}

const lookAlikes = new WeakMap<ClosedWorld, LookAlike[]>();

/** All objects with these methods; looked for once, since every group asks. */
function lookAlikesIn(world: ClosedWorld): readonly LookAlike[] {
  const known = lookAlikes.get(world);
  if (known !== undefined) return known;
  const found: LookAlike[] = [];
  const inFile = (file: ts.SourceFile): void => {
    for (const object of nodesOfInterest(file).objects) {
      if (METHODS.every((name) => propertyOf(object, name) === undefined)) continue;
      const holder = holderOfObject(object, world);
      if (holder !== undefined) found.push({ object, holder });
    }
  };
  for (const file of world.sourceFiles) if (METHODS.some((name) => file.text.includes(name))) inFile(file);
  lookAlikes.set(world, found);
  return found;
}

/** The cell that an object literal is put into: a variable, a property, a result, a parameter. */
function holderOfObject(node: ts.ObjectLiteralExpression, world: ClosedWorld): Cell | undefined {
  const value = dressed(node);
  const { parent } = value;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent) || ts.isPropertyAssignment(parent))
    return parent;
  if (ts.isArrowFunction(parent)) return parent;
  if (ts.isReturnStatement(parent)) return enclosingFunction(parent);
  if (!ts.isCallExpression(parent)) return undefined;
  const parameters = world.checker.getResolvedSignature(parent)?.declaration?.parameters ?? [];
  const parameter = parameters[parent.arguments.indexOf(value as ts.Expression)];
  return parameter !== undefined && ts.isParameter(parameter) ? parameter : undefined;
}
