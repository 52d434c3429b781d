/** What a server advertises: read from its making and from the rest of the file, or searched in the package (T11). */
import {
  CLIENT_OPTION,
  FILTER_FIELDS,
  type FilterField,
  type FilterFieldRow,
} from '../../../src/protocol/index.js';
import {
  contains,
  isFunction,
  keyName,
  memberName,
  parentOf,
  peel,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import type { PackageIndex } from '../package/package-index.js';
import { definitionOf, importOf, variableOf } from './bindings.js';
import { isClientClass } from './clients.js';
import { callsOf } from './named-functions.js';
import { nodesOf } from './nodes.js';
import { originOf } from './origins.js';
import { serverKind } from './servers.js';
import { booleanOf, objectOf, valueAt } from './values.js';

/** A capability that a filter field needs. */
export type Capability = FilterFieldRow['capability'];

/** The capability that a filter field needs. */
export function capabilityFor(field: FilterField): Capability {
  const row = FILTER_FIELDS.find((one) => one.field === field);
  if (row === undefined) throw new TypeError(`${field} is no field of the filter`);
  return row.capability;
}

/**
 * What the making of a server says of a capability; `unknown` where it cannot be read. Options that the package itself
 * makes elsewhere count as `absent`: a search through its files finds what they declare.
 */
export function declaredBy(
  sourceCode: SourceCode,
  creation: TSESTree.NewExpression,
  { group, member }: Capability,
): 'on' | 'off' | 'absent' | 'unknown' {
  if (creation.arguments.some((one) => one.type === 'SpreadElement')) return 'unknown';
  const [, options] = creation.arguments;
  if (options === undefined) return 'absent';
  const literal = objectOf(sourceCode, options);
  const value = literal && valueAt(sourceCode, literal, CLIENT_OPTION.capabilities, group, member);
  if (literal === undefined) return isOfPackage(sourceCode, options) ? 'absent' : 'unknown';
  if (value === 'unknown') return 'unknown';
  if (value === undefined) return 'absent';
  const said = booleanOf(sourceCode, value);
  return said === undefined ? 'unknown' : said ? 'on' : 'off';
}

/** Whether a name stands for options that are made in this package: imported from it, or given by calls in the file. */
function isOfPackage(sourceCode: SourceCode, options: Node): boolean {
  const node = peel(options);
  if (node.type !== 'Identifier') return false;
  const definition = definitionOf(variableOf(sourceCode, node));
  if (definition === undefined) return true;
  if (definition.type === 'ImportBinding') return importOf(sourceCode, node)?.module.startsWith('.') === true;
  if (definition.type === 'Variable') return definition.node.init === null && definition.node.parent.declare;
  return (
    definition.type === 'Parameter' &&
    isFunction(definition.node) &&
    (callsOf(sourceCode, definition.node) ?? []).length > 0
  );
}

/** Whether a capability is declared anywhere in a file or in the other files of its package, as far as text tells. */
export function isDeclaredSomewhere(
  sourceCode: SourceCode,
  otherFiles: PackageIndex | undefined,
  capability: Capability,
): boolean {
  const { member } = capability;
  return (
    nodesOf(sourceCode)
      .of('Property')
      .some((property) => declares(sourceCode, property, capability)) ||
    nodesOf(sourceCode)
      .of('AssignmentExpression')
      .some(({ left }) => left.type === 'MemberExpression' && memberName(left) === member) ||
    otherFiles?.some(DECLARATION[member]) === true
  );
}

/** `subscribe: true`, `'subscribe': wanted`, `{ subscribe }`, `resources.subscribe = true`; no method's name. */
const DECLARATION: Readonly<Record<Capability['member'], RegExp>> = {
  subscribe: declarationOf('subscribe'),
  listChanged: declarationOf('listChanged'),
};

function declarationOf(member: string): RegExp {
  const value = `(?!\\s*(?:false\\b|async\\b|function\\b|\\())`;
  return new RegExp(
    `(?<![\\w/.])${member}['"]?\\s*:${value}|[{,]\\s*${member}\\s*[,}]|\\.${member}\\s*=(?![=>])`,
  );
}

function declares(
  sourceCode: SourceCode,
  property: TSESTree.Property,
  { group, member }: Capability,
): boolean {
  if (keyName(property) !== member || property.method || isFunction(property.value)) return false;
  if (property.parent.type !== 'ObjectExpression' || booleanOf(sourceCode, property.value) === false)
    return false;
  const holder = parentOf(property.parent);
  const around = holder?.type === 'Property' ? keyName(holder) : undefined;
  if (around !== undefined && around !== group) return false;
  return misplacement(sourceCode, property) === undefined;
}

/** Where the capabilities of a server are none: in its name and version, or on a client. */
export interface Misplacement {
  readonly where: 'info' | 'client';
  readonly creation: TSESTree.NewExpression;
}

/** Whether a property stands where no server's capability can be declared. */
export function misplacement(sourceCode: SourceCode, property: TSESTree.Property): Misplacement | undefined {
  for (let at: Node | undefined = parentOf(property); at !== undefined; at = parentOf(at)) {
    if (isFunction(at)) return undefined;
    if (at.type !== 'NewExpression') continue;
    const origin = originOf(sourceCode, at);
    if (origin === undefined) return undefined;
    if (isClientClass(origin.imported)) return { where: 'client', creation: at };
    const [info] = at.arguments;
    const isInfo = info !== undefined && contains(info, property) && peel(info).type === 'ObjectExpression';
    return serverKind(origin.imported) !== undefined && isInfo ? { where: 'info', creation: at } : undefined;
  }
  return undefined;
}
