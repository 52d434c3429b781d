/** What a name is bound to: provenance by scope, never by spelling. */
import { memberName, peel, type Node, type SourceCode, type TSESLint, type TSESTree } from '../ast.js';

/** A name that comes from a module. */
export interface ImportedName {
  readonly module: string;
  /** The exported name; `default`, or `*` for the module itself. */
  readonly name: string;
}

type Variable = TSESLint.Scope.Variable;

/** The variable that an identifier means. */
export function variableOf(
  sourceCode: SourceCode,
  identifier: TSESTree.Identifier | TSESTree.JSXIdentifier,
): Variable | undefined {
  return variableNamed(sourceCode, identifier, identifier.name);
}

/** The variable that a name would mean at a place. */
export function variableNamed(sourceCode: SourceCode, at: Node, name: string): Variable | undefined {
  for (
    let scope: TSESLint.Scope.Scope | null = sourceCode.getScope(at);
    scope !== null;
    scope = scope.upper
  ) {
    const variable = scope.set.get(name);
    if (variable !== undefined) return variable;
  }
  return undefined;
}

/** The one definition of a variable; undefined where there are several or none. */
export function definitionOf(variable: Variable | undefined): TSESLint.Scope.Definition | undefined {
  return variable?.defs.length === 1 ? variable.defs[0] : undefined;
}

/** The initializer of a name that is never assigned again. */
export function constantOf(sourceCode: SourceCode, identifier: TSESTree.Identifier): Node | undefined {
  const variable = variableOf(sourceCode, identifier);
  const definition = definitionOf(variable);
  if (definition?.type !== 'Variable' || definition.node.id.type !== 'Identifier') return undefined;
  const isWrittenAgain = variable?.references.some(
    (reference) => reference.isWrite() && reference.init !== true,
  );
  return isWrittenAgain === true ? undefined : (definition.node.init ?? undefined);
}

/** Where a name comes from: `Client`, `mcp.Client`, `sdk.client.Client` after import, require or import(). */
export function importOf(sourceCode: SourceCode, node: Node, depth = 0): ImportedName | undefined {
  if (depth > 5) return undefined;
  const inner = peel(node);
  if (inner.type === 'MemberExpression') {
    const name = memberName(inner);
    const holder = importOf(sourceCode, inner.object, depth + 1);
    return name !== undefined && (holder?.name === '*' || holder?.name === 'default')
      ? { module: holder.module, name }
      : undefined;
  }
  if (inner.type === 'TSQualifiedName') {
    const holder = importOf(sourceCode, inner.left, depth + 1);
    return holder?.name === '*' ? { module: holder.module, name: inner.right.name } : undefined;
  }
  const loaded = loadedModule(inner);
  if (loaded !== undefined) return { module: loaded, name: '*' };
  return inner.type === 'Identifier' || inner.type === 'JSXIdentifier'
    ? importOfVariable(sourceCode, variableOf(sourceCode, inner), depth)
    : undefined;
}

function importOfVariable(
  sourceCode: SourceCode,
  variable: Variable | undefined,
  depth: number,
): ImportedName | undefined {
  const definition = definitionOf(variable);
  if (definition === undefined) return undefined;
  if (definition.type === 'ImportBinding') return importOfSpecifier(definition.node);
  if (definition.type !== 'Variable') return undefined;
  const { id, init } = definition.node;
  if (init === null) return undefined;
  if (id.type === 'Identifier') return importOf(sourceCode, init, depth + 1);
  if (id.type !== 'ObjectPattern') return undefined;
  // const { Client: McpClient } = require('…')
  const holder = importOf(sourceCode, init, depth + 1);
  if (holder?.name !== '*') return undefined;
  for (const property of id.properties) {
    if (property.type !== 'Property' || property.key.type !== 'Identifier') continue;
    const { value } = property;
    const local = value.type === 'AssignmentPattern' ? value.left : value;
    if (local === definition.name) return { module: holder.module, name: property.key.name };
  }
  return undefined;
}

function importOfSpecifier(node: Node): ImportedName | undefined {
  const declaration = node.parent;
  if (node.type === 'TSImportEqualsDeclaration') {
    const reference = node.moduleReference;
    return reference.type === 'TSExternalModuleReference'
      ? { module: reference.expression.value, name: '*' }
      : undefined;
  }
  if (declaration?.type !== 'ImportDeclaration') return undefined;
  const module = declaration.source.value;
  switch (node.type) {
    case 'ImportSpecifier':
      return {
        module,
        name: node.imported.type === 'Identifier' ? node.imported.name : node.imported.value,
      };
    case 'ImportDefaultSpecifier':
      return { module, name: 'default' };
    case 'ImportNamespaceSpecifier':
      return { module, name: '*' };
    default:
      return undefined;
  }
}

/** The module that a call of `require`, or an `import()`, loads. */
function loadedModule(node: Node): string | undefined {
  const argument =
    node.type === 'ImportExpression'
      ? node.source
      : node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'require'
        ? node.arguments[0]
        : undefined;
  return argument?.type === 'Literal' && typeof argument.value === 'string' ? argument.value : undefined;
}
