/** The statement that connects a server to stdio, and the transport it does it with. */
import { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import { referencesOf } from '../../src/analysis/references.js';
import type { ServerEntry } from '../../src/analysis/server-group.js';
import type { SourceUnit } from '../../src/analysis/source-unit.js';
import { contains, dressed, enclosingFunction, isAsync, peel } from '../../src/analysis/syntax.js';
import { SERVER_MEMBER } from '../../src/protocol/index.js';
import type { Obstacle } from '../obstacle.js';

/** `await server.connect(transport);` */
export interface Connection {
  readonly unit: SourceUnit;
  readonly call: ts.CallExpression;
  readonly statement: ts.Statement;
  /** The server, as written. */
  readonly receiver: ts.Expression;
  readonly transport: Transport;
}

/** What it is connected to. */
export interface Transport {
  /** The property by which `serveStdio` is handed a transport that is no default one. */
  readonly option: string | undefined;
  /** The declaration that nothing needs any more. */
  readonly superfluous: ts.VariableStatement | undefined;
  /** Where it is closed: the transport as it is written there. */
  readonly closed: readonly ts.Expression[];
}

/** Reads the connection of an entry, or says why it cannot be replaced. */
export function connectionOf({ call }: ServerEntry, facts: Facts): Connection | Obstacle {
  const callee = peel(call.expression);
  const statement = statementOf(call);
  if (!ts.isPropertyAccessExpression(callee) || statement === undefined)
    return {
      text: 'connect() is part of a larger expression: make it a statement of its own',
      at: call,
    };
  const transport = transportOf(call, facts);
  if ('at' in transport) return transport;
  return { unit: facts.unitOf(call), call, statement, receiver: callee.expression, transport };
}

/** The statement that a call is, awaited or not, also where a failure is only reported. */
function statementOf(call: ts.CallExpression): ts.Statement | undefined {
  let value = dressed(call);
  const access = value.parent;
  if (ts.isPropertyAccessExpression(access) && access.name.text === 'catch') {
    const caught = access.parent;
    const [handler] = ts.isCallExpression(caught) ? caught.arguments : [];
    if (handler === undefined || !onlyReports(handler)) return undefined;
    value = dressed(caught);
  }
  if (ts.isAwaitExpression(value.parent) || ts.isVoidExpression(value.parent)) value = dressed(value.parent);
  const { parent } = value;
  if (ts.isExpressionStatement(parent)) return parent;
  return ts.isReturnStatement(parent) && isAsync(enclosingFunction(parent)) ? parent : undefined;
}

/** Stdio cannot fail to start: a handler that only says so and ends the process has nothing to do. */
function onlyReports(handler: ts.Expression): boolean {
  const inner = peel(handler);
  const isReport = (node: ts.Node): boolean =>
    /^(?:void\s+)?(?:console\.\w+|process\.\w+)/.test(node.getText());
  if (!ts.isArrowFunction(inner) && !ts.isFunctionExpression(inner)) return isReport(inner);
  return ts.isBlock(inner.body)
    ? inner.body.statements.every((one) => ts.isExpressionStatement(one) && isReport(one.expression))
    : isReport(inner.body);
}

function transportOf(call: ts.CallExpression, facts: Facts): Transport | Obstacle {
  const [argument, ...others] = call.arguments;
  const inner = argument === undefined ? undefined : peel(argument);
  if (inner === undefined || others.length > 0)
    return { text: 'connect() is called with more than a transport', at: call };
  if (ts.isNewExpression(inner)) {
    const option = hasArguments(inner) ? `transport: ${inner.getText()}` : undefined;
    return { option, superfluous: undefined, closed: [] };
  }
  const symbol = ts.isIdentifier(inner) ? facts.world.checker.getSymbolAtLocation(inner) : undefined;
  const declaration = symbol?.valueDeclaration;
  const made = declaration === undefined ? undefined : creationIn(declaration);
  if (made === undefined || declaration === undefined)
    return { text: 'its transport is made elsewhere: hand the factory of the server there', at: call };
  const uses = referencesOf(facts.world)
    .to(declaration)
    .filter((name) => !contains(call, name) && name.parent !== declaration);
  const closed = uses.flatMap((name) => (closedBy(name) === undefined ? [] : [name as ts.Identifier]));
  const other = uses.find((name) => closedBy(name) === undefined);
  if (other !== undefined)
    return { text: 'its transport is used for more than the connection', at: other.parent };
  if (!hasArguments(made)) return { option: undefined, superfluous: statementAround(declaration), closed };
  const name = inner.getText();
  return { option: name === 'transport' ? name : `transport: ${name}`, superfluous: undefined, closed };
}

function hasArguments(made: ts.NewExpression): boolean {
  return (made.arguments?.length ?? 0) > 0;
}

/** The `new StdioServerTransport()` of a variable that nothing else is put into. */
function creationIn(declaration: ts.Declaration): ts.NewExpression | undefined {
  if (!ts.isVariableDeclaration(declaration) || declaration.initializer === undefined) return undefined;
  const isConstant = (declaration.parent.flags & ts.NodeFlags.Const) !== 0;
  const made = peel(declaration.initializer);
  return isConstant && statementAround(declaration) !== undefined && ts.isNewExpression(made)
    ? made
    : undefined;
}

function statementAround(declaration: ts.Declaration): ts.VariableStatement | undefined {
  const list = declaration.parent;
  if (!ts.isVariableDeclarationList(list) || list.declarations.length > 1) return undefined;
  return ts.isVariableStatement(list.parent) && list.parent.modifiers === undefined ? list.parent : undefined;
}

/** The call of `close` on a path. */
export function closedBy(path: ts.Node): ts.CallExpression | undefined {
  const access = dressed(path).parent;
  if (!ts.isPropertyAccessExpression(access) || access.name.text !== SERVER_MEMBER.close) return undefined;
  const callee = dressed(access);
  return ts.isCallExpression(callee.parent) && callee.parent.expression === callee
    ? callee.parent
    : undefined;
}
