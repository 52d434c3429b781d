/** The edits that catch a push, and that stop a timer with the instance it belongs to. */
import { indentAt, readFileStyle } from '../../../src/codegen/file-style.js';
import { freeName } from '../../../src/codegen/names.js';
import {
  enclosingFunction,
  parentOf,
  type FunctionNode,
  type SourceCode,
  type TSESLint,
  type TSESTree,
} from '../ast.js';
import type { FactoryWork } from '../detection/factory-work.js';
import { nodesOf } from '../detection/nodes.js';
import { serverOf } from '../detection/servers.js';

const CAUGHT = '.catch(() => {})';

/** Catches a push; none where it is part of a chain already. */
export function catchFixes(call: TSESTree.CallExpression): TSESLint.ReportFixFunction[] {
  return parentOf(call)?.type === 'ChainExpression' ? [] : [(fixer) => fixer.insertTextAfter(call, CAUGHT)];
}

/** Stops a timer that is a statement of its own in the factory of a stdio server, and catches what it pushes. */
export function stopFixes(
  sourceCode: SourceCode,
  { node, kind, entry, factory }: FactoryWork,
  sends: readonly TSESTree.CallExpression[],
): TSESLint.ReportFixFunction[] {
  const statement = parentOf(node);
  if (kind !== 'timer' || entry !== 'stdio' || statement?.type !== 'ExpressionStatement') return [];
  if (parentOf(statement) !== factory.body || sourceCode.getText(factory).includes('onclose')) return [];
  const server = serverNameBefore(sourceCode, factory, statement);
  if (server === undefined) return [];
  const { text } = sourceCode;
  const style = readFileStyle(text);
  const name = freeName(['timer', 'interval'], (one) => new RegExp(`\\b${one}\\b`).test(text));
  const indent = indentAt(text, statement.range[0]);
  return [
    (fixer) => [
      fixer.insertTextBefore(statement, `const ${name} = `),
      ...sends.map((send) => fixer.insertTextAfter(send, CAUGHT)),
      fixer.insertTextAfter(
        statement,
        `${style.eol}${indent}${server}.onclose = () => clearInterval(${name})${style.semicolon}`,
      ),
    ],
  ];
}

/** How the low-level server is reached that the factory has made before a statement. */
function serverNameBefore(
  sourceCode: SourceCode,
  factory: FunctionNode,
  statement: TSESTree.Statement,
): string | undefined {
  for (const { id, init, range } of nodesOf(sourceCode).of('VariableDeclarator')) {
    if (id.type !== 'Identifier' || init === null || range[1] > statement.range[0]) continue;
    if (enclosingFunction(id) !== factory) continue;
    const kind = serverOf(sourceCode, id)?.kind;
    if (kind !== undefined) return kind === 'McpServer' ? `${id.name}.server` : id.name;
  }
  return undefined;
}
