/** What a name in an expression stands for: an import is followed to what it imports. */
import { ts } from 'ts-morph';

/** The symbol behind an import's; any other symbol is its own. */
export function withoutAlias(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol;
export function withoutAlias(symbol: ts.Symbol | undefined, checker: ts.TypeChecker): ts.Symbol | undefined;
export function withoutAlias(symbol: ts.Symbol | undefined, checker: ts.TypeChecker): ts.Symbol | undefined {
  const isAlias = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  return isAlias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The symbol of what a name means, also where it is a shorthand property. */
export function symbolNamed(name: ts.Node, checker: ts.TypeChecker): ts.Symbol | undefined {
  const symbol =
    ts.isShorthandPropertyAssignment(name.parent) && name.parent.name === name
      ? checker.getShorthandAssignmentValueSymbol(name.parent)
      : checker.getSymbolAtLocation(name);
  return withoutAlias(symbol, checker);
}
