/** The statements of a list that build a server: what makes it, and what uses it or something that was made for it. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from '../../src/analysis/closed-world.js';
import { referencesOf } from '../../src/analysis/references.js';
import { contains } from '../../src/analysis/syntax.js';

/** What belongs together. */
export interface BuiltStatements {
  /** In their order. */
  readonly statements: readonly ts.Statement[];
  /** The names that they declare. */
  readonly names: ReadonlySet<ts.Symbol>;
  /** Uses of those names in statements that stay where they are, and in other files. */
  readonly outside: readonly ts.Node[];
}

/**
 * @param list the statements among which the server is made
 * @param first the one that makes it
 * @param staysOutside whether a statement that uses a name stays where it is all the same
 */
export function builtStatements(
  list: readonly ts.Statement[],
  first: ts.Statement,
  staysOutside: (statement: ts.Statement, name: ts.Node) => boolean,
  world: ClosedWorld,
): BuiltStatements {
  const found = new Set<ts.Statement>([first]);
  const names = new Set<ts.Symbol>();
  const outside = new Map<ts.Node, ts.Statement | undefined>();
  const queue = [...declaredBy(first)];
  for (let declaration = queue.pop(); declaration !== undefined; declaration = queue.pop()) {
    const symbol = symbolOf(declaration, world);
    if (symbol !== undefined) names.add(symbol);
    for (const name of referencesOf(world).to(declaration)) {
      if (name.parent === declaration) continue;
      const statement = list.find((one) => contains(one, name));
      if (statement !== undefined && found.has(statement)) continue;
      if (statement === undefined || staysOutside(statement, name)) {
        outside.set(name, statement);
        continue;
      }
      found.add(statement);
      queue.push(...declaredBy(statement));
    }
  }
  return {
    statements: list.filter((one) => found.has(one)),
    names,
    outside: [...outside].flatMap(([name, statement]) =>
      statement !== undefined && found.has(statement) ? [] : [name],
    ),
  };
}

function symbolOf(declaration: ts.Declaration, { checker }: ClosedWorld): ts.Symbol | undefined {
  const { name } = declaration as { name?: ts.Node };
  return name === undefined ? undefined : checker.getSymbolAtLocation(name);
}

function declaredBy(statement: ts.Statement): ts.Declaration[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap((one) => namesIn(one));
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEnumDeclaration(statement);
  return isNamed ? [statement] : [];
}

function namesIn(declaration: ts.VariableDeclaration | ts.BindingElement): ts.Declaration[] {
  if (ts.isIdentifier(declaration.name)) return [declaration];
  return declaration.name.elements.flatMap((element) =>
    ts.isBindingElement(element) ? namesIn(element) : [],
  );
}
