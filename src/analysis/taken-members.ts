/** Members that are taken from a client without an access that names them. */
import { ts } from 'ts-morph';
import { LEGACY_ONLY_CALLS } from '../protocol/index.js';
import type { Cell } from './cells.js';
import type { Flow, TakenMember } from './flow.js';
import { isForeign } from './foreign-types.js';
import { classifyReceiver, classifyType } from './receivers.js';
import { dressed, propertyName } from './syntax.js';

const LEGACY_MEMBERS: ReadonlySet<string> = new Set(LEGACY_ONLY_CALLS.map((row) => row.member as string));

/** Whether `client[name]` takes a member of a client, and not a client out of a container. */
export function isTakenByKey({ world, subject }: Flow, access: ts.ElementAccessExpression): boolean {
  const receiver = classifyReceiver(world, access.expression, subject);
  if (receiver !== 'unknown') return receiver === 'instance';
  // Nobody calls a client: what is called is a method of one.
  const callee = dressed(access);
  const isCall = ts.isCallExpression(callee.parent) && callee.parent.expression === callee;
  return isCall && !isForeign(world, access.expression);
}

/** `const { ping } = client`, `({ ping }: Client) => …` */
export function takeApart(flow: Flow, cell: Cell, pattern: ts.ObjectBindingPattern): void {
  const isClient =
    classifyType(flow.world, flow.world.checker.getTypeAtLocation(pattern), flow.subject) === 'instance';
  for (const element of pattern.elements) {
    if (element.dotDotDotToken !== undefined) continue; // copies no method: they are the class's
    note(flow, cell, element, element.propertyName ?? element.name, isClient);
  }
}

/** `({ ping } = client)` */
export function takeByAssignment(
  flow: Flow,
  cell: Cell,
  target: ts.ObjectLiteralExpression,
  source: ts.Expression,
): void {
  const isClient = classifyReceiver(flow.world, source, flow.subject) === 'instance';
  for (const property of target.properties) {
    if (property.name !== undefined) note(flow, cell, property, property.name, isClient);
  }
}

function note(
  flow: Flow,
  cell: Cell,
  node: TakenMember['node'],
  name: ts.PropertyName | ts.BindingName,
  isClient: boolean,
): void {
  const key = propertyName(name) ?? (ts.isComputedPropertyName(name) ? name.expression : undefined);
  // Where no type says that it is a client, only what clients alone have tells.
  if (key !== undefined && (isClient || (typeof key === 'string' && LEGACY_MEMBERS.has(key))))
    flow.taken(cell, { node, key });
}
