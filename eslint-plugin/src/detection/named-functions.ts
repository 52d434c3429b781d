/** Named functions of a file, and who can call them. */
import {
  dressed,
  parentOf,
  type FunctionNode,
  type Node,
  type SourceCode,
  type TSESLint,
  type TSESTree,
} from '../ast.js';
import { definitionOf, variableOf } from './bindings.js';

type Variable = TSESLint.Scope.Variable;

/** The variable that a function is known by. */
export function variableOfFunction(sourceCode: SourceCode, one: FunctionNode): Variable | undefined {
  const id = one.id ?? nameGivenTo(one);
  return id === undefined ? undefined : variableOf(sourceCode, id);
}

function nameGivenTo(one: FunctionNode): TSESTree.Identifier | undefined {
  const parent = parentOf(one);
  return parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier' ? parent.id : undefined;
}

/** The mentions of a function, its declaration left out. */
export function mentionsOf(variable: Variable): Node[] {
  return variable.references.filter(({ init }) => init !== true).map(({ identifier }) => identifier as Node);
}

/** The calls of a named function; undefined where it is used in another way as well. */
export function callsOf(sourceCode: SourceCode, one: FunctionNode): TSESTree.CallExpression[] | undefined {
  const variable = variableOfFunction(sourceCode, one);
  if (variable === undefined || isExported(variable)) return undefined;
  const calls: TSESTree.CallExpression[] = [];
  for (const mention of mentionsOf(variable)) {
    const parent = parentOf(mention);
    if (parent?.type !== 'CallExpression' || parent.callee !== mention) return undefined;
    calls.push(parent);
  }
  return calls;
}

/** Whether a name of a module can be imported from it. */
export function isExported(variable: Variable): boolean {
  const declaration = definitionOf(variable)?.node;
  const statement = declaration?.type === 'VariableDeclarator' ? declaration.parent : declaration;
  const around = statement === undefined ? undefined : parentOf(statement)?.type;
  return (
    around === 'ExportNamedDeclaration' ||
    around === 'ExportDefaultDeclaration' ||
    mentionsOf(variable).some((mention) =>
      ['ExportSpecifier', 'ExportDefaultDeclaration'].includes(parentOf(mention)?.type ?? ''),
    )
  );
}

/** Whether a function may be used by somebody whom its file does not show: exported, stored, handed to others. */
export function isOpen(
  sourceCode: SourceCode,
  one: FunctionNode,
  isKnownUse: (use: TSESTree.CallExpression) => boolean,
): boolean {
  const variable = variableOfFunction(sourceCode, one);
  if (variable === undefined) {
    const parent = parentOf(dressed(one));
    return parent?.type !== 'CallExpression' || !isKnownUse(parent);
  }
  return (
    isExported(variable) ||
    mentionsOf(variable).some((mention) => {
      const parent = parentOf(dressed(mention));
      return parent?.type !== 'CallExpression' || (parent.callee !== mention && !isKnownUse(parent));
    })
  );
}
