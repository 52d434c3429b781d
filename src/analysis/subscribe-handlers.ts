/** Handlers of `resources/subscribe` and `resources/unsubscribe`, which no modern peer ever calls (T14), and what each does. */
import { ts } from 'ts-morph';
import { METHOD, SERVER_MEMBER, methodOfSchema } from '../protocol/index.js';
import type { ClosedWorld } from './closed-world.js';
import { notificationsOf } from './notification-kinds.js';
import { functionsBehind } from './server-entries.js';
import type { ServerGroup } from './server-group.js';
import { dutyOf, type Duty } from './subscribe-duties.js';
import { dressed, literalText, peel, propertyOf } from './syntax.js';
import { writtenValues, type WrittenValue } from './written-values.js';

/** One registration. */
export interface SubscribeHandler {
  /** `server.setRequestHandler(…)` */
  readonly node: ts.CallExpression;
  readonly actions: readonly SubscribeAction[];
  /** How the method is named: `table` where a loop or a function around it decides. */
  readonly form: 'schema' | 'method' | 'inline-schema' | 'table';
  /** Where its methods are written: the argument itself, or in the rows of a table. */
  readonly kinds: readonly ts.Node[];
  /** The functions that handle it: one, but for a table. */
  readonly functions: readonly ts.SignatureDeclaration[];
  readonly does: Duty['does'];
  /** What it does beside its bookkeeping, as it is written: the check, the call. */
  readonly deed: ts.Node | undefined;
}

export type SubscribeAction = 'subscribe' | 'unsubscribe';

const ACTIONS: Readonly<Record<string, SubscribeAction>> = {
  [METHOD.resourcesSubscribe]: 'subscribe',
  [METHOD.resourcesUnsubscribe]: 'unsubscribe',
};

const known = new WeakMap<ServerGroup, readonly SubscribeHandler[]>();

/** The subscribe handlers of a server, in the order of the source. */
export function subscribeHandlersOf(world: ClosedWorld, group: ServerGroup): readonly SubscribeHandler[] {
  const before = known.get(group);
  if (before !== undefined) return before;
  const calls = group.members.flatMap(({ member, access }) => {
    if (member !== SERVER_MEMBER.setRequestHandler) return [];
    const callee = dressed(access);
    return ts.isCallExpression(callee.parent) && callee.parent.expression === callee ? [callee.parent] : [];
  });
  const read = calls.map((call) => readRegistration(world, call));
  const handlers = read.flatMap((one) => (one === undefined || one === 'unreadable' ? [] : [one]));
  // A registration that cannot be read may be the one that a schema in sight is meant for.
  const open = calls.filter((_, index) => read[index] === 'unreadable');
  const isMeant = open.length > 0 && handlers.length === 0 && namesSubscribing(world, open);
  const hidden = isMeant ? open.map(unreadable) : [];
  const found = [...handlers, ...hidden];
  known.set(group, found);
  return found;
}

function readRegistration(
  world: ClosedWorld,
  call: ts.CallExpression,
): SubscribeHandler | 'unreadable' | undefined {
  const [kind] = call.arguments;
  const last = call.arguments.at(-1);
  if (kind === undefined || ts.isSpreadElement(kind)) return 'unreadable';
  const values = writtenValues(kind, world) ?? [];
  const rows = values.map((value) => ({ value, method: methodOf(value, world) }));
  const actions = [
    ...new Set(rows.flatMap(({ method }) => (method === undefined ? [] : (ACTIONS[method] ?? [])))),
  ];
  if (actions.length === 0)
    return rows.length === 0 || rows.some(({ method }) => method === undefined) ? 'unreadable' : undefined;
  const form = formOf(kind, rows.length > 1);
  const kinds = rows.flatMap(({ value, method }) =>
    method !== undefined && ACTIONS[method] !== undefined ? [value] : [],
  );
  if (last === undefined || last === kind)
    return { node: call, actions, form, kinds, functions: [], does: 'unreadable', deed: undefined };
  const { functions, wrapper } = handlersBehind(world, last, kinds);
  const { does, deed } = dutyOf(world, functions, wrapper);
  return { node: call, actions, form, kinds, functions, does, deed };
}

/** The method that a value stands for, or `{ method: 'tools/list' }`; a schema of any other name is of another method. */
function methodOf(value: WrittenValue, world: ClosedWorld): string | undefined {
  if (ts.isMethodDeclaration(value)) return undefined;
  if (ts.isObjectLiteralExpression(value)) {
    const property = propertyOf(value, 'method');
    return property !== undefined && ts.isPropertyAssignment(property)
      ? literalText(property.initializer)
      : undefined;
  }
  const name = ts.isPropertyAccessExpression(value) ? value.name : value;
  const isSchema = ts.isIdentifier(name) && (value === name || name.text.endsWith('Schema'));
  return notificationsOf(value, world.checker)?.[0] ?? (isSchema ? name.text : undefined);
}

function formOf(kind: ts.Expression, isTable: boolean): SubscribeHandler['form'] {
  const inner = peel(kind);
  if (isTable) return 'table';
  if (literalText(inner) !== undefined) return 'method';
  if (ts.isCallExpression(inner)) return 'inline-schema';
  const name = ts.isPropertyAccessExpression(inner) ? inner.name : inner;
  return ts.isIdentifier(name) && name.text.endsWith('Schema') ? 'schema' : 'table';
}

/** The functions behind the last argument; those that stand in the same row as the method, where there are rows. */
function handlersBehind(
  world: ClosedWorld,
  argument: ts.Expression,
  kinds: readonly WrittenValue[],
): { functions: ts.SignatureDeclaration[]; wrapper: ts.CallExpression | undefined } {
  const values = writtenValues(argument, world) ?? [];
  const inRows = values.filter((value) => kinds.some((kind) => rowOf(value) === rowOf(kind)));
  const chosen = inRows.length > 0 ? inRows : values;
  const wrapper = chosen.find((value) => ts.isCallExpression(value));
  const inner = peel(argument);
  // What a function in sight is handed is run by what it returns.
  const handed = ts.isCallExpression(inner) ? inner.arguments.flatMap((one) => functionsIn(world, one)) : [];
  return {
    functions: [...new Set([...chosen.flatMap((value) => functionsIn(world, value)), ...handed])],
    wrapper,
  };
}

/** The row of a table: the object or array literal that a value is written in. */
function rowOf(value: ts.Node): ts.Node | undefined {
  for (let node = value.parent as ts.Node | undefined; node !== undefined; node = node.parent) {
    if (ts.isObjectLiteralExpression(node) || ts.isArrayLiteralExpression(node)) return node;
    if (ts.isStatement(node)) return undefined;
  }
  return undefined;
}

/** A function, or those that are handed to a call around it: `traced(async (request) => …)`. */
function functionsIn(world: ClosedWorld, value: WrittenValue): ts.SignatureDeclaration[] {
  if (ts.isMethodDeclaration(value)) return [value];
  const inner = peel(value);
  if (ts.isArrowFunction(inner) || ts.isFunctionExpression(inner)) return [inner];
  if (ts.isCallExpression(inner)) {
    const callee = inner.expression;
    // this.onSubscribe.bind(this)
    if (ts.isPropertyAccessExpression(callee) && callee.name.text === 'bind')
      return functionsBehind(world, callee.expression);
    return inner.arguments.flatMap((one) => functionsIn(world, one));
  }
  return ts.isIdentifier(inner) || ts.isPropertyAccessExpression(inner) ? functionsBehind(world, inner) : [];
}

function unreadable(node: ts.CallExpression): SubscribeHandler {
  return {
    node,
    actions: ['subscribe'],
    form: 'table',
    kinds: [],
    functions: [],
    does: 'unreadable',
    deed: undefined,
  };
}

/** Whether the package of some calls names the subscribe method or its schema as a value. */
function namesSubscribing(world: ClosedWorld, calls: readonly ts.Node[]): boolean {
  const packages = new Set(calls.map((call) => world.packageOf(call)));
  return world.sourceFiles.some((file) => {
    if (!packages.has(world.packageOf(file))) return false;
    let found = false;
    const visit = (node: ts.Node): void => {
      if (found || ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
      found =
        (ts.isIdentifier(node) && methodOfSchema(node.text) === METHOD.resourcesSubscribe) ||
        (ts.isStringLiteralLike(node) && node.text === METHOD.resourcesSubscribe);
      ts.forEachChild(node, visit);
    };
    visit(file);
    return found;
  });
}
