/** Where the value of an expression can lie: the cells of value flow. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from './closed-world.js';
import { accessedMember, enclosingClass, peel } from './syntax.js';
import { withoutAlias } from './named-symbol.js';

/**
 * A declaration or expression that may hold a client: a variable, a parameter, a property, the result of a function, a
 * container as a whole, a `new` expression.
 */
export type Cell = ts.Node;

/** Methods whose result is what their callback returns, and not what they were called on. */
export const MAPPING_METHODS: ReadonlySet<string> = new Set(['map', 'flatMap', 'then', 'reduce']);

/** Questions about cells. */
export interface Cells {
  /** The cells that hold the value of an expression; none where it comes from out of sight. */
  of(expression: ts.Expression): Cell[];
  /** What a container's method can hand on from an argument: the value itself, or what a callback returns. */
  ofArgument(argument: ts.Expression): Cell[];
  /** The declarations of a name that holds a value. */
  ofSymbol(symbol: ts.Symbol | undefined): Cell[];
  /** The declarations of a property by name in a type. */
  ofProperty(type: ts.Type | undefined, name: string): Cell[];
  /** The function that a call runs, as far as it is known. */
  calledBy(node: ts.CallExpression | ts.NewExpression): ts.SignatureDeclaration | undefined;
}

/** Answers them for one program. */
export function createCells(world: ClosedWorld): Cells {
  const { checker } = world;

  /** The cells that hold the value of an expression; none where it comes from out of sight. */
  function cellsOf(expression: ts.Expression): Cell[] {
    const inner = peel(expression);
    if (ts.isIdentifier(inner)) return valueDeclarations(checker.getSymbolAtLocation(inner));
    if (inner.kind === ts.SyntaxKind.SuperKeyword) {
      const owner = enclosingClass(inner);
      return owner === undefined ? [] : [owner];
    }
    if (inner.kind === ts.SyntaxKind.ThisKeyword) {
      const declaration = checker.getTypeAtLocation(inner).getSymbol()?.declarations?.[0];
      return declaration !== undefined && ts.isClassLike(declaration) ? [declaration] : [];
    }
    const accessed = accessedMember(inner);
    if (accessed !== undefined) {
      const name = ts.isPropertyAccessExpression(inner)
        ? inner.name
        : (inner as ts.ElementAccessExpression).argumentExpression;
      const declarations = checker.getSymbolAtLocation(name)?.declarations ?? [];
      if (declarations.some((declaration) => world.isOurs(declaration)))
        return cellsOf(accessed.access.expression);
      return declarations.filter(
        (declaration) => !ts.isFunctionLike(declaration) || ts.isAccessor(declaration),
      );
    }
    if (ts.isElementAccessExpression(inner)) return cellsOf(inner.expression);
    if (ts.isAwaitExpression(inner)) return cellsOf(inner.expression);
    if (ts.isConditionalExpression(inner)) return [...cellsOf(inner.whenTrue), ...cellsOf(inner.whenFalse)];
    if (ts.isBinaryExpression(inner)) return cellsOfBinary(inner);
    if (ts.isArrayLiteralExpression(inner)) return inner.elements.flatMap((element) => cellsOf(element));
    if (ts.isSpreadElement(inner)) return cellsOf(inner.expression);
    if (ts.isNewExpression(inner)) return cellsOfNew(inner);
    if (ts.isCallExpression(inner)) return cellsOfCall(inner);
    return [];
  }

  function cellsOfBinary(node: ts.BinaryExpression): Cell[] {
    switch (node.operatorToken.kind) {
      case ts.SyntaxKind.CommaToken:
        return cellsOf(node.right);
      case ts.SyntaxKind.BarBarToken:
      case ts.SyntaxKind.QuestionQuestionToken:
      case ts.SyntaxKind.AmpersandAmpersandToken:
      case ts.SyntaxKind.EqualsToken:
      case ts.SyntaxKind.QuestionQuestionEqualsToken:
      case ts.SyntaxKind.BarBarEqualsToken:
        return [...cellsOf(node.left), ...cellsOf(node.right)];
      default:
        return [];
    }
  }

  function cellsOfNew(node: ts.NewExpression): Cell[] {
    const declaration = checker.getTypeAtLocation(node).getSymbol()?.declarations?.[0];
    if (declaration !== undefined && world.isOurs(declaration) && !world.isSdk(declaration)) {
      return (node.arguments ?? []).flatMap((argument) => cellsOf(argument)); // new Map([[name, client]])
    }
    return declaration !== undefined && ts.isClassLike(declaration) && !world.isOurs(declaration)
      ? [node, declaration]
      : [node];
  }

  function cellsOfCall(node: ts.CallExpression): Cell[] {
    const declaration = declarationOfCall(node);
    if (declaration === undefined) return [];
    if (!world.isOurs(declaration)) return [declaration];
    const callee = peel(node.expression);
    const handsOn = ts.isPropertyAccessExpression(callee) && !MAPPING_METHODS.has(callee.name.text);
    const receiver = handsOn ? cellsOf(callee.expression) : [];
    return [...receiver, ...node.arguments.flatMap((argument) => valuesOfArgument(argument))];
  }

  /** What a container's method can hand on from an argument: the value itself, or what a callback returns. */
  function valuesOfArgument(argument: ts.Expression): Cell[] {
    const inner = peel(argument);
    return ts.isArrowFunction(inner) || ts.isFunctionExpression(inner) ? [inner] : cellsOf(inner);
  }

  function declarationOfCall(
    node: ts.CallExpression | ts.NewExpression,
  ): ts.SignatureDeclaration | undefined {
    const declaration = checker.getResolvedSignature(node)?.declaration;
    return declaration === undefined || ts.isJSDocSignature(declaration) ? undefined : declaration;
  }

  function valueDeclarations(symbol: ts.Symbol | undefined): Cell[] {
    if (symbol === undefined) return [];
    return (withoutAlias(symbol, checker).declarations ?? []).filter(
      (declaration) =>
        !world.isOurs(declaration) &&
        (ts.isVariableDeclaration(declaration) ||
          ts.isBindingElement(declaration) ||
          ts.isParameter(declaration) ||
          ts.isExportAssignment(declaration) ||
          ts.isPropertyAssignment(declaration) ||
          ts.isShorthandPropertyAssignment(declaration) ||
          ts.isBinaryExpression(declaration)),
    );
  }

  /** Declarations of a property by name in the type of a node. */
  function propertyCells(type: ts.Type | undefined, name: string): Cell[] {
    if (type === undefined) return [];
    const holders = type.isUnion() ? type.types : [type];
    return holders
      .flatMap(
        (holder) => checker.getPropertyOfType(checker.getNonNullableType(holder), name)?.declarations ?? [],
      )
      .filter((declaration) => !world.isOurs(declaration) && !ts.isMethodDeclaration(declaration));
  }

  return {
    of: cellsOf,
    ofArgument: valuesOfArgument,
    ofSymbol: valueDeclarations,
    ofProperty: propertyCells,
    calledBy: declarationOfCall,
  };
}
