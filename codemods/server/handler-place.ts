/** Where the constant of an HTTP handler stands, and from where it can be used. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from '../../src/analysis/closed-world.js';
import type { Facts } from '../../src/analysis/facts.js';
import { referencesOf } from '../../src/analysis/references.js';
import type { SourceUnit } from '../../src/analysis/source-unit.js';
import {
  contains,
  dressed,
  enclosingFunction,
  iterationOf,
  statementListOf,
} from '../../src/analysis/syntax.js';
import { HANDLER_NAME } from '../../src/codegen/mcp-handler.js';
import { freeName } from '../../src/codegen/names.js';
import { isTakenIn } from './imports.js';

/** The place of one handler. */
export interface HandlerPlace {
  readonly unit: SourceUnit;
  /** The constant's name. */
  readonly name: string;
  /** The statement before which it is declared, or by which. */
  readonly statement: ts.Statement;
}

/** The place of a new handler: directly in front of the statement that a node stands in; undefined where no statement can be put. */
export function newPlace(node: ts.Node, facts: Facts): HandlerPlace | undefined {
  const statement = statementAround(node);
  if (statement === undefined) return undefined;
  const unit = facts.unitOf(node);
  return { unit, name: freeName([HANDLER_NAME], isTakenIn(unit.tree)), statement };
}

/** The innermost statement around a node that stands in a list. */
export function statementAround(node: ts.Node): ts.Statement | undefined {
  let current = node as ts.Node | undefined;
  while (current !== undefined && !(ts.isStatement(current) && statementListOf(current) !== undefined))
    current = current.parent;
  return current;
}

/** The place of a handler that is there: a constant; undefined where it is kept in another way. */
export function placeOfHandler(call: ts.CallExpression, facts: Facts): HandlerPlace | undefined {
  const { parent } = dressed(call);
  if (!ts.isVariableDeclaration(parent) || !ts.isIdentifier(parent.name)) return undefined;
  const isConstant = (parent.parent.flags & ts.NodeFlags.Const) !== 0;
  const statement = parent.parent.parent;
  if (!isConstant || !ts.isVariableStatement(statement) || statementListOf(statement) === undefined)
    return undefined;
  return { unit: facts.unitOf(call), name: parent.name.text, statement };
}

/** Whether code at a node can use the handler: it is in scope there, and made before that runs. */
export function seesHandler(
  { unit, name, statement }: HandlerPlace,
  at: ts.Node,
  world: ClosedWorld,
): boolean {
  const scope = statement.parent;
  if (at.getSourceFile() !== unit.tree || !contains(scope, at)) return false;
  if (isShadowed(name, at, scope)) return false;
  return runsLater(at, statement, scope, world);
}

/** Whether a function between the node and the scope has the name for something of its own. */
function isShadowed(name: string, at: ts.Node, scope: ts.Node): boolean {
  for (let current = at.parent; current !== scope; current = current.parent) {
    const declared = ts.isFunctionLike(current)
      ? current.parameters.flatMap((parameter) => namesIn(parameter.name))
      : ts.isBlock(current)
        ? current.statements.flatMap((one) => (ts.isVariableStatement(one) ? declaredNames(one) : []))
        : [];
    if (declared.includes(name)) return true;
  }
  return false;
}

function declaredNames({ declarationList }: ts.VariableStatement): string[] {
  return declarationList.declarations.flatMap((declaration) => namesIn(declaration.name));
}

function namesIn(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? namesIn(element.name) : []));
}

/** Functions that call one another; longer chains are taken for early ones. */
const DEPTH = 8;

/** Whether a node runs after the statement has: it stands behind it, or in a function that nothing calls before. */
function runsLater(at: ts.Node, statement: ts.Statement, scope: ts.Node, world: ClosedWorld): boolean {
  const seen = new Set<ts.Node>();
  const isLate = (node: ts.Node, depth: number): boolean => {
    const owner = enclosingFunction(node);
    const isDirect = owner === undefined || !contains(scope, owner) || owner === scope.parent;
    if (isDirect) return node.getSourceFile() !== scope.getSourceFile() || node.pos >= statement.pos;
    if (seen.has(owner)) return true;
    seen.add(owner);
    if (depth === 0) return false;
    const iteration = iterationOf(owner);
    if (iteration !== undefined) return isLate(iteration, depth - 1);
    const argument = dressed(owner);
    // A callback of anything else (a timer, an emitter, a route) is called later.
    if (ts.isCallExpression(argument.parent)) {
      return argument.parent.expression !== argument || isLate(argument.parent, depth - 1);
    }
    return referencesOf(world)
      .callsOf(owner)
      .every((call) => isLate(call, depth - 1));
  };
  return isLate(at, DEPTH);
}
