import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { indentAt, quoted, readFileStyle } from '../../src/codegen/file-style.js';

describe('the style of a file', () => {
  test.each([
    ['single quotes by its imports', `import a from 'a';\nconst s = "b" + "c" + "d" + "e";\n`, "'"],
    ['double quotes by its imports', `import a from "a";\nconst s = 'b';\n`, '"'],
    ['double quotes by require', `const a = require("a");\nf('x', 'y', 'z');\n`, '"'],
    ['the commoner quote without imports', `f("a"); g("b"); h('c');\n`, '"'],
    ['single quotes when nothing says', `f();\n`, "'"],
  ])('has %s', (_name, text, quote) => {
    expect(readFileStyle(text).quote).toBe(quote);
  });

  test.each([
    ['semicolons', `const a = f();\nconst b = g();\n`, ';'],
    ['none', `const a = f()\nconst b = g()\n`, ''],
    ['none although a loop has some', `for (let i = 0; i < 2; i++) f(i)\nconst b = g()\n`, ''],
    ['semicolons in an empty file', ``, ';'],
  ])('has %s', (_name, text, semicolon) => {
    expect(readFileStyle(text).semicolon).toBe(semicolon);
  });

  test.each([
    ['two spaces', `if (a) {\n  f();\n  if (b) {\n    g();\n  }\n}\n`, '  '],
    ['four spaces', `if (a) {\n    f();\n    if (b) {\n        g();\n    }\n}\n`, '    '],
    ['tabs', `if (a) {\n\tf();\n}\n`, '\t'],
    ['four spaces below a JSDoc block', `/**\n * x\n */\nfunction f() {\n    g();\n}\n`, '    '],
    ['two spaces when nothing says', `f();\n`, '  '],
  ])('is indented by %s', (_name, text, indent) => {
    expect(readFileStyle(text).indent).toBe(indent);
  });

  test('ends its lines as most of them do', () => {
    expect(readFileStyle('a\r\nb\r\nc\n').eol).toBe('\r\n');
    expect(readFileStyle('a\nb\nc\r\n').eol).toBe('\n');
  });
});

test('the indentation of a position is that of its line', () => {
  expect(indentAt('a\n    b;', 6)).toBe('    ');
  expect(indentAt('a\n\t\tb; c', 7)).toBe('\t\t');
  expect(indentAt('a', 0)).toBe('');
});

test('a quoted string survives its own quotes, backslashes and line breaks', () => {
  const style = readFileStyle(`import a from 'a';`);
  for (const value of [`it's`, `a\\b`, 'two\nlines', `"both" and 'both'`]) {
    const [statement] = ts.createSourceFile('a.ts', quoted(value, style), ts.ScriptTarget.ESNext).statements;
    const expression =
      statement !== undefined && ts.isExpressionStatement(statement) ? statement.expression : undefined;
    expect(expression !== undefined && ts.isStringLiteral(expression) && expression.text).toBe(value);
  }
});
