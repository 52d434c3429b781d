/** A class that makes its server as it is constructed and connects it in a method: `new MyServer().run()`. */
import { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import { referencesOf } from '../../src/analysis/references.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import {
  contains,
  dressed,
  enclosingClass,
  enclosingFunction,
  isAssigned,
  peel,
} from '../../src/analysis/syntax.js';
import type { Obstacle } from '../obstacle.js';
import { constructionObstacle } from './construction.js';
import type { Connection } from './stdio-connection.js';

/** Whether a server is one of its own class: `this.server`, or `this` of a subclass. */
export function isOfThis(receiver: ts.Expression): boolean {
  const inner = peel(receiver);
  if (ts.isPropertyAccessExpression(inner)) return isOfThis(inner.expression);
  return inner.kind === ts.SyntaxKind.ThisKeyword;
}

/** A new instance's server, as it is written in the method: `new MyServer().server`. */
export function newInstance(connection: Connection, group: ServerGroup, facts: Facts): string | Obstacle {
  const { receiver, call } = connection;
  const owner = enclosingClass(call);
  const method = owner === undefined ? undefined : methodAround(call, owner);
  const { name } = owner ?? {};
  if (owner === undefined || method === undefined || name === undefined) return otherShape(call);
  const arguments_ = constructorArguments(owner, facts);
  const isMadeThere = group.creations.some(({ node }) => isMadeByConstruction(node, owner));
  if (arguments_ === undefined || (!isMadeThere && peel(receiver).kind !== ts.SyntaxKind.ThisKeyword))
    return otherShape(call);
  const obstacle =
    constructionObstacle(owner, facts) ??
    usedObstacle(method, connection) ??
    sharedObstacle(owner, name, method, facts);
  if (obstacle !== undefined) return obstacle;
  const path = peel(receiver).getText().replace(/^this/, '');
  return `new ${name.text}(${arguments_.join(', ')})${path}`;
}

function otherShape(at: ts.Node): Obstacle {
  return {
    text: 'its class does more than make the server: give serveStdio a function that makes a new one for each call',
    at,
  };
}

function methodAround(call: ts.Node, owner: ts.ClassLikeDeclaration): ts.MethodDeclaration | undefined {
  const method = enclosingFunction(call);
  return method !== undefined && ts.isMethodDeclaration(method) && method.parent === owner
    ? method
    : undefined;
}

/** In a field or in the constructor itself; a method may make it at another time. */
function isMadeByConstruction(creation: ts.Node, owner: ts.ClassLikeDeclaration): boolean {
  const member = owner.members.find((one) => contains(one, creation));
  if (member === undefined) return false;
  if (ts.isPropertyDeclaration(member)) return !isInFunction(creation, member);
  return ts.isConstructorDeclaration(member) && enclosingFunction(creation) === member;
}

function isInFunction(node: ts.Node, member: ts.Node): boolean {
  const owner = enclosingFunction(node);
  return owner !== undefined && contains(member, owner);
}

/** What the constructor was given, as the instance has kept it; undefined where it has not. */
function constructorArguments(owner: ts.ClassLikeDeclaration, facts: Facts): string[] | undefined {
  if ((owner.heritageClauses ?? []).some(({ token }) => token === ts.SyntaxKind.ExtendsKeyword))
    return undefined;
  const made = owner.members.find(ts.isConstructorDeclaration);
  const given: string[] = [];
  for (const parameter of made?.parameters ?? []) {
    const isKept = ts.isParameterPropertyDeclaration(parameter, parameter.parent);
    if (!isKept || !ts.isIdentifier(parameter.name) || isWritten(parameter, facts)) return undefined;
    given.push(`this.${parameter.name.text}`);
  }
  return given;
}

function isWritten(parameter: ts.ParameterDeclaration, { world }: Facts): boolean {
  return referencesOf(world)
    .to(parameter)
    .some((name) => isAssigned(ts.isPropertyAccessExpression(name.parent) ? name.parent : name));
}

/** The method works on the instance that it is called on, and no new one would know. */
function usedObstacle(method: ts.MethodDeclaration, { call }: Connection): Obstacle | undefined {
  let used: ts.Node | undefined;
  const visit = (node: ts.Node): void => {
    if (used !== undefined || (ts.isClassLike(node) && node !== method.parent)) return;
    if (node.kind === ts.SyntaxKind.ThisKeyword && !contains(call.expression, node)) used = node;
    else ts.forEachChild(node, visit);
  };
  if (method.body !== undefined) visit(method.body);
  return used === undefined
    ? undefined
    : {
        text: `${used.parent.getText()} is of the instance that is connected, and each connection gets a new one: do it in the constructor`,
        at: used,
      };
}

/** Who else has the instance that the method is called on would talk to one that is not connected. */
function sharedObstacle(
  owner: ts.ClassLikeDeclaration,
  name: ts.Identifier,
  method: ts.MethodDeclaration,
  { world }: Facts,
): Obstacle | undefined {
  const isCalled = (value: ts.Node): boolean => {
    const access = value.parent;
    return ts.isPropertyAccessExpression(access) && access.name.text === method.name.getText();
  };
  const references = referencesOf(world);
  const other = references.to(owner).find((use) => {
    if (use === name || ts.isImportSpecifier(use.parent) || ts.isExportSpecifier(use.parent)) return false;
    const made = dressed(use).parent;
    if (!ts.isNewExpression(made) || made.expression !== dressed(use)) return true;
    const value = dressed(made);
    if (isCalled(value)) return false;
    const { parent } = value;
    if (!ts.isVariableDeclaration(parent) || !ts.isIdentifier(parent.name)) return true;
    return references.to(parent).some((held) => held.parent !== parent && !isCalled(dressed(held)));
  });
  return other === undefined
    ? undefined
    : {
        text: `${name.text} is used beside ${method.name.getText()}(), and each connection gets a new one: let them share what they have in common`,
        at: other,
      };
}
