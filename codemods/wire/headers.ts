/** The headers of a request: in a literal, in `new Headers(…)`, and one by one behind it. Names are in small letters. */
import { HEADER } from '../../src/protocol/index.js';
import { bindingOf, referencesTo } from './bindings.js';
import {
  calleeName,
  child,
  contains,
  isCall,
  isMember,
  isProperty,
  isSpread,
  list,
  memberName,
  nameOf,
  peel,
  stringOf,
  type Node,
} from './tree.js';
import { keyOf, objectOf, resolve, textOf, valueOf } from './values.js';
import type { HttpRequest } from './http-request.js';
import { functionAround, type WireModule } from './wire-module.js';

/** One header, or several that are spread in together. */
export interface HeaderPart {
  /** The property, the spread, or the statement that sets it. */
  readonly node: Node;
  readonly kind: 'property' | 'spread' | 'statement';
  /** Its names; empty where they cannot be read. */
  readonly names: readonly string[];
  readonly value: Node | undefined;
}

/** The headers of a request. */
export interface HeaderSet {
  /** The literal that they begin with. */
  readonly literal: Node;
  /** Whether the literal stands in the options themselves. */
  readonly isInline: boolean;
  readonly parts: readonly HeaderPart[];
}

const EVERY = new Set<string>(Object.values(HEADER).map((name) => name.toLowerCase()));

/** Headers that belong to the legacy era alone. */
export const LEGACY_HEADERS: ReadonlySet<string> = new Set([
  HEADER.sessionId.toLowerCase(),
  HEADER.lastEventId.toLowerCase(),
]);

/** Reads the headers; undefined where they are made elsewhere. */
export function headersOf(module: WireModule, { options, call }: HttpRequest): HeaderSet | undefined {
  const given = options === undefined ? undefined : valueOf(module, options.object, 'headers');
  if (given === undefined) return undefined;
  const holder = peel(given);
  const literal = literalOf(module, holder);
  if (literal === undefined) return undefined;
  const parts = list(literal, 'properties').map((property) => partOf(module, property));
  return {
    literal,
    isInline: holder === literal && options !== undefined && contains(options.argument, literal),
    parts: [...parts, ...setBehind(module, holder, call)],
  };
}

function literalOf(module: WireModule, holder: Node): Node | undefined {
  const binding = holder.type === 'Identifier' ? bindingOf(module, holder) : undefined;
  const init = child(binding?.declaration, 'init');
  // `let` as well: what is put into it afterwards is found by its name.
  const made = init === undefined ? resolve(module, holder) : peel(init);
  if (made.type === 'NewExpression' && nameOf(child(made, 'callee')) === 'Headers')
    return objectOf(module, list(made, 'arguments')[0]);
  return made.type === 'ObjectExpression' ? made : undefined;
}

function partOf(module: WireModule, property: Node): HeaderPart {
  if (isSpread(property)) {
    const argument = child(property, 'argument');
    const names = argument === undefined ? [] : spreadNames(module, argument);
    return { node: property, kind: 'spread', names, value: argument };
  }
  const name = headerName(module, property);
  const value = isProperty(property) ? child(property, 'value') : undefined;
  return { node: property, kind: 'property', names: name === undefined ? [] : [name], value };
}

/** The name, also behind a constant; of a constant from elsewhere by what it is called. */
function headerName(module: WireModule, property: Node): string | undefined {
  const name = keyOf(module, property);
  return name === undefined ? nameByHint(module, child(property, 'key')) : name.toLowerCase();
}

function nameByHint(module: WireModule, key: Node | undefined): string | undefined {
  const text = key === undefined ? '' : module.textOf(key);
  if (/last_?event_?id/i.test(text)) return HEADER.lastEventId.toLowerCase();
  if (/session_?id/i.test(text)) return HEADER.sessionId.toLowerCase();
  return /protocol_?version/i.test(text) ? HEADER.protocolVersion.toLowerCase() : undefined;
}

/** The headers in `last && { … }`, `last ? { … } : {}`; none where they come from elsewhere. */
function spreadNames(module: WireModule, argument: Node): string[] {
  const parts = alternatives(peel(argument)).map((part) =>
    part.type === 'ObjectExpression' ? list(part, 'properties') : undefined,
  );
  const known = parts.filter((part): part is Node[] => part !== undefined);
  if (known.length < parts.length) return [];
  return known.flat().flatMap((property) => headerName(module, property) ?? [`?${module.textOf(property)}`]);
}

function alternatives(node: Node): Node[] {
  const sides = (fields: readonly string[]): Node[] =>
    fields.flatMap((field) => {
      const side = child(node, field);
      return side === undefined ? [] : alternatives(peel(side));
    });
  if (node.type === 'LogicalExpression')
    return sides(node['operator'] === '&&' ? ['right'] : ['left', 'right']);
  return node.type === 'ConditionalExpression' ? sides(['consequent', 'alternate']) : [node];
}

/** `headers['accept'] = …`, `headers.set('accept', …)` between the literal and the request. */
function setBehind(module: WireModule, holder: Node, call: Node): HeaderPart[] {
  const binding = holder.type === 'Identifier' ? bindingOf(module, holder) : undefined;
  if (binding === undefined || functionAround(module, binding.node) !== functionAround(module, call))
    return [];
  return referencesTo(module, binding).flatMap((reference): HeaderPart[] => {
    const member = module.parentOf(reference);
    if (member === undefined || !isMember(member) || child(member, 'object') !== reference) return [];
    const set = module.parentOf(member);
    if (set?.type === 'AssignmentExpression' && child(set, 'left') === member) {
      const name = memberName(member) ?? textOf(module, child(member, 'property'));
      const hinted = name?.toLowerCase() ?? nameByHint(module, child(member, 'property'));
      return statementPart(module, set, hinted, child(set, 'right'));
    }
    if (!isCall(set) || set === undefined || child(set, 'callee') !== member) return [];
    if (!['set', 'append'].includes(calleeName(set) ?? '')) return [];
    const [key, value] = list(set, 'arguments');
    return statementPart(module, set, stringOf(key)?.toLowerCase() ?? nameByHint(module, key), value);
  });
}

function statementPart(
  module: WireModule,
  expression: Node,
  name: string | undefined,
  value: Node | undefined,
): HeaderPart[] {
  const statement = module.parentOf(expression);
  if (statement?.type !== 'ExpressionStatement') return [];
  return [{ node: statement, kind: 'statement', names: name === undefined ? [] : [name], value }];
}

/** The one part that sets a header by itself. */
export function partNamed({ parts }: HeaderSet, name: string): HeaderPart | undefined {
  return parts.find(({ names }) => names.length === 1 && names[0] === name.toLowerCase());
}

/** Whether a part holds a header of one of the names beside others, and cannot be taken out as a whole. */
export function isMixed({ names }: HeaderPart, wanted: ReadonlySet<string>): boolean {
  return names.some((name) => wanted.has(name)) && !names.every((name) => wanted.has(name));
}

/** How the module itself spells a header. */
export function spellingOf(module: WireModule, name: string): string {
  const found = new RegExp(`['"\`](${name})['"\`]`, 'i').exec(module.text)?.[1];
  return found ?? (EVERY.has(name.toLowerCase()) ? name : name.toLowerCase());
}
