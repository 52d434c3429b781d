/** What nothing needs any more once the old routes are gone: handlers, session maps, event stores, their types. */
import { ts } from 'ts-morph';
import { cellOf, isWrite } from '../../src/analysis/written-state.js';
import type { ClosedWorld } from '../../src/analysis/closed-world.js';
import { applicationOf } from '../../src/analysis/http-frameworks.js';
import { referencesOf } from '../../src/analysis/references.js';
import { registriesOf } from '../../src/analysis/subscriber-registries.js';
import { contains, isExported, peel, statementListOf } from '../../src/analysis/syntax.js';
import type { FileEdit } from '../codemod.js';
import type { Obstacle } from '../obstacle.js';
import { goingNodes } from './going-nodes.js';
import type { HttpInput } from './http-plan.js';
import { withoutStatement } from './statement-edits.js';

/**
 * The edits that take it away.
 *
 * @param routes the nodes that the codemod removes itself
 * @param written the new code, whose names are read from now on
 * @returns an obstacle where something else reads what only the old routes have kept
 */
export function modernLeftovers(
  { group, facts, target }: HttpInput,
  routes: readonly ts.Node[],
  written: string,
): { readonly edits: readonly FileEdit[] } | Obstacle {
  const { world } = facts;
  const others = target === 'modern' ? goingNodes(group, facts) : [];
  const kept = new Set(registriesOf(world, group).map(({ declaration }) => declaration));
  const gone = createGone(routes, others, (one) => kept.has(one) || isNamedIn(written, one), world);
  const left = gone.takeUnread();
  const read = stateReadElsewhere(routes, gone, world);
  if (read !== undefined)
    return {
      text: `${read.getText()}, which its old routes keep, is used elsewhere, too: decide what that is to do without sessions`,
      at: read,
    };
  const edits = left
    .filter((one) => ![...routes, ...others].some((outer) => contains(outer, one)))
    .map((one) => withoutStatement(one, facts.unitOf(one), 'nothing reads it any more'));
  return { edits };
}

interface Gone {
  has(node: ts.Node): boolean;
  /** Declarations whose every reader is gone, again and again. */
  takeUnread(): ts.Node[];
}

/**
 * @param others what other codemods take away: it reads nothing any more, but what stands in it is theirs
 * @param stays declarations that are not ours to remove
 */
function createGone(
  routes: readonly ts.Node[],
  others: readonly ts.Node[],
  stays: (declaration: ts.Node) => boolean,
  world: ClosedWorld,
): Gone {
  const nodes = [...routes];
  const has = (node: ts.Node): boolean => [...nodes, ...others].some((one) => contains(one, node));
  return {
    has,
    takeUnread() {
      const taken: ts.Node[] = [];
      for (const node of nodes) {
        for (const declaration of declarationsNamedIn(node, world)) {
          const place = removable(declaration);
          if (place === undefined || has(place) || stays(declaration) || !isUnread(declaration, has, world))
            continue;
          taken.push(place);
          nodes.push(place); // grows the list that is gone through
        }
      }
      return taken;
    },
  };
}

function isNamedIn(text: string, declaration: ts.Node): boolean {
  const name = (declaration as ts.NamedDeclaration).name?.getText();
  return name !== undefined && new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(text);
}

function isUnread(declaration: ts.Node, has: (node: ts.Node) => boolean, world: ClosedWorld): boolean {
  return referencesOf(world)
    .to(declaration)
    .every((name) => has(name) || (name.parent as ts.NamedDeclaration).name === name);
}

/** The declarations in the user's code that names inside a node lead to. */
function declarationsNamedIn(node: ts.Node, world: ClosedWorld): Set<ts.Declaration> {
  const found = new Set<ts.Declaration>();
  const visit = (inner: ts.Node): void => {
    if (ts.isIdentifier(inner) || ts.isPrivateIdentifier(inner)) {
      const declaration = cellOf(inner, world);
      if (declaration !== undefined && !contains(node, declaration)) found.add(declaration);
    }
    ts.forEachChild(inner, visit);
  };
  visit(node);
  return found;
}

/** The statement, or class member, that declares nothing but this; undefined where it must stay. */
function removable(declaration: ts.Declaration): ts.Node | undefined {
  if (ts.isVariableDeclaration(declaration)) {
    const statement = declaration.parent.parent;
    const isAlone = ts.isVariableStatement(statement) && statement.declarationList.declarations.length === 1;
    return isAlone &&
      !isExported(statement) &&
      isQuiet(declaration.initializer) &&
      statementListOf(statement) !== undefined
      ? statement
      : undefined;
  }
  if (ts.isPropertyDeclaration(declaration)) {
    const isPrivate =
      ts.isPrivateIdentifier(declaration.name) ||
      (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Private) !== 0;
    return isPrivate && isQuiet(declaration.initializer) ? declaration : undefined;
  }
  const isDeclared =
    ts.isFunctionDeclaration(declaration) ||
    ts.isClassDeclaration(declaration) ||
    ts.isInterfaceDeclaration(declaration) ||
    ts.isTypeAliasDeclaration(declaration) ||
    ts.isEnumDeclaration(declaration);
  return isDeclared && !isExported(declaration) ? declaration : undefined;
}

/** Whether evaluating it does nothing but make a value. */
function isQuiet(initializer: ts.Expression | undefined): boolean {
  if (initializer === undefined) return true;
  const inner = peel(initializer);
  if (ts.isNewExpression(inner))
    return (inner.arguments ?? []).every(isQuiet) && ts.isIdentifier(inner.expression);
  if (ts.isObjectLiteralExpression(inner) || ts.isArrayLiteralExpression(inner)) {
    let isPlain = true;
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) || ts.isAwaitExpression(node)) isPlain = false;
      if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
    };
    visit(inner);
    return isPlain;
  }
  return (
    ts.isLiteralExpression(inner) ||
    ts.isFunctionLike(inner) ||
    ts.isIdentifier(inner) ||
    ts.isPropertyAccessExpression(inner) ||
    inner.kind === ts.SyntaxKind.NullKeyword ||
    inner.kind === ts.SyntaxKind.TrueKeyword ||
    inner.kind === ts.SyntaxKind.FalseKeyword
  );
}

/** `app.delete('/mcp', …)` registers a route and takes nothing out of anything. */
function isApplication(
  declaration: ts.VariableDeclaration | ts.PropertyDeclaration,
  world: ClosedWorld,
): boolean {
  const [name] = referencesOf(world)
    .to(declaration)
    .filter((one) => one.parent !== declaration);
  const access =
    name !== undefined && ts.isPropertyAccessExpression(name.parent) && name.parent.name === name
      ? name.parent
      : name;
  return access !== undefined && ts.isExpression(access) && applicationOf(access, world) !== undefined;
}

/** A place that reads what only the routes write. */
function stateReadElsewhere(routes: readonly ts.Node[], gone: Gone, world: ClosedWorld): ts.Node | undefined {
  const written = new Map<ts.Declaration, boolean>();
  for (const route of routes) {
    for (const declaration of declarationsNamedIn(route, world)) {
      if (written.has(declaration)) continue;
      const isState =
        (ts.isVariableDeclaration(declaration) || ts.isPropertyDeclaration(declaration)) &&
        !isApplication(declaration, world);
      const names = isState ? referencesOf(world).to(declaration) : [];
      const isWritten = names.some((name) => gone.has(name) && isWrite(name));
      written.set(declaration, isWritten);
      if (!isWritten) continue;
      const reader = names.find(
        (name) => !gone.has(name) && (name.parent as ts.NamedDeclaration).name !== name,
      );
      if (reader !== undefined) return reader;
    }
  }
  return undefined;
}
