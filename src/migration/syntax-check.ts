/** Whether a text still parses as well as it did. */
import { ts } from 'ts-morph';

/** A syntax error. */
export interface SyntaxFault {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

/** The syntax errors of a text, in order. */
export function syntaxFaults(file: string, text: string): SyntaxFault[] {
  const how = { languageVersion: ts.ScriptTarget.ESNext, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
  const tree = ts.createSourceFile(file, text, how);
  return syntaxFaultsOf(tree);
}

/** The syntax errors of a parsed file. */
export function syntaxFaultsOf(tree: ts.SourceFile): SyntaxFault[] {
  // The parser keeps them on the tree; the public way to them needs a program.
  const { parseDiagnostics = [] } = tree as ts.SourceFile & {
    parseDiagnostics?: readonly ts.DiagnosticWithLocation[];
  };
  return parseDiagnostics.map((diagnostic) => ({
    line: tree.getLineAndCharacterOfPosition(diagnostic.start).line + 1,
    message: ts.flattenDiagnosticMessageText(diagnostic.messageText, ' '),
  }));
}
