/** What a name was imported as: the module and the name it has there. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from './closed-world.js';
import { peel, propertyName } from './syntax.js';

/** `default` for a default import, `*` for a whole module. */
export interface ImportedName {
  readonly module: string;
  readonly name: string;
}

/** The import that an expression names, also `express.Router` and what `require` brings in; undefined for anything else. */
export function importedName(expression: ts.Expression, world: ClosedWorld): ImportedName | undefined {
  const inner = peel(expression);
  if (ts.isPropertyAccessExpression(inner)) return memberOf(inner, world);
  const loaded = loadedModule(inner);
  if (loaded !== undefined) return { module: loaded, name: '*' };
  if (!ts.isIdentifier(inner)) return undefined;
  const declaration = world.checker.getSymbolAtLocation(inner)?.declarations?.[0];
  return declaration === undefined ? undefined : importedBy(declaration);
}

/** A type's name as it was imported: `Express`, `express.Application`. */
export function importedTypeName(name: ts.EntityName, world: ClosedWorld): ImportedName | undefined {
  if (ts.isQualifiedName(name)) {
    const holder = importedTypeName(name.left, world);
    return holder !== undefined && isWhole(holder)
      ? { module: holder.module, name: name.right.text }
      : undefined;
  }
  const declaration = world.checker.getSymbolAtLocation(name)?.declarations?.[0];
  return declaration === undefined ? undefined : importedBy(declaration);
}

function memberOf(access: ts.PropertyAccessExpression, world: ClosedWorld): ImportedName | undefined {
  const holder = importedName(access.expression, world);
  return holder !== undefined && isWhole(holder)
    ? { module: holder.module, name: access.name.text }
    : undefined;
}

/** A module's default export is often the module itself: `express.Router`. */
function isWhole({ name }: ImportedName): boolean {
  return name === '*' || name === 'default';
}

function importedBy(declaration: ts.Declaration): ImportedName | undefined {
  if (ts.isImportSpecifier(declaration)) {
    const module = textOf(declaration.parent.parent.parent.moduleSpecifier);
    return module === undefined
      ? undefined
      : { module, name: (declaration.propertyName ?? declaration.name).text };
  }
  if (ts.isImportClause(declaration)) {
    const module = textOf(declaration.parent.moduleSpecifier);
    return module === undefined ? undefined : { module, name: 'default' };
  }
  if (ts.isNamespaceImport(declaration)) {
    const module = textOf(declaration.parent.parent.moduleSpecifier);
    return module === undefined ? undefined : { module, name: '*' };
  }
  if (ts.isImportEqualsDeclaration(declaration)) {
    const reference = declaration.moduleReference;
    const module = ts.isExternalModuleReference(reference) ? textOf(reference.expression) : undefined;
    return module === undefined ? undefined : { module, name: '*' };
  }
  return importedByVariable(declaration);
}

/** `const express = require('express')`, `const { Router } = require('express')` */
function importedByVariable(declaration: ts.Declaration): ImportedName | undefined {
  if (ts.isVariableDeclaration(declaration)) {
    const { initializer } = declaration;
    if (initializer === undefined) return undefined;
    const module = loadedModule(peel(initializer));
    if (module !== undefined) return { module, name: '*' };
    const inner = peel(initializer);
    const holder = ts.isPropertyAccessExpression(inner) ? loadedModule(peel(inner.expression)) : undefined;
    return holder === undefined || !ts.isPropertyAccessExpression(inner)
      ? undefined
      : { module: holder, name: inner.name.text };
  }
  if (!ts.isBindingElement(declaration) || !ts.isObjectBindingPattern(declaration.parent)) return undefined;
  const holder = declaration.parent.parent;
  const name = propertyName(declaration.propertyName ?? declaration.name);
  if (!ts.isVariableDeclaration(holder) || holder.initializer === undefined || name === undefined)
    return undefined;
  const module = loadedModule(peel(holder.initializer));
  return module === undefined ? undefined : { module, name };
}

/** `require('express')`, `await import('express')` */
function loadedModule(expression: ts.Expression): string | undefined {
  const inner = ts.isAwaitExpression(expression) ? peel(expression.expression) : expression;
  if (!ts.isCallExpression(inner)) return undefined;
  const isLoader =
    inner.expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(inner.expression) && inner.expression.text === 'require');
  return isLoader ? textOf(inner.arguments[0]) : undefined;
}

function textOf(node: ts.Node | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;
}
