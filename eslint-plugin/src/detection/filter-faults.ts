/** What is wrong with a filter, with the edit that would mend it. */
import { EXTENSION_FILTER_FIELDS, FILTER_FIELDS, type FilterField } from '../../../src/protocol/index.js';
import { keyName, type Node, type SourceCode, type TSESTree } from '../ast.js';
import { fieldMeant } from './filter-keys.js';
import { wishesOf } from './filters.js';
import { urisOf } from './uris.js';
import { resolve } from './values.js';

/** A range of the text, and what belongs there. */
export interface Mending {
  readonly range: readonly [number, number];
  readonly text: string;
  /** Whether nothing else can be meant. */
  readonly isCertain: boolean;
}

/** A fault of a filter. */
export interface FilterFault {
  readonly kind:
    'misspelt' | 'unknownKey' | 'extensionKey' | 'notBoolean' | 'notUris' | 'notUri' | 'pattern' | 'twice';
  readonly node: Node;
  /** The key or URI that is at fault. */
  readonly what: string;
  /** What it should be, where that can be said. */
  readonly instead?: string;
  readonly mending?: Mending | undefined;
}

/** The faults of a filter's keys and values, in the order of the text. */
export function filterFaults(sourceCode: SourceCode, filter: TSESTree.ObjectExpression): FilterFault[] {
  return filter.properties.flatMap((property): FilterFault[] => {
    const key = property.type === 'Property' ? keyName(property) : undefined;
    if (property.type !== 'Property' || key === undefined) return [];
    const row = FILTER_FIELDS.find(({ field }) => field === key);
    if (row === undefined) return [keyFault(sourceCode, filter, property, key)];
    if (row.field === 'resourceSubscriptions') return uriFaults(sourceCode, property);
    const fault = booleanFault(sourceCode, property, row.field);
    return fault === undefined ? [] : [fault];
  });
}

/** Whether a filter certainly asks for nothing: each of its keys is there to be read, and none asks. */
export function asksForNothing(sourceCode: SourceCode, filter: TSESTree.ObjectExpression): boolean {
  const { fields, isOpen } = wishesOf(sourceCode, filter);
  return fields.size === 0 && !isOpen && filterFaults(sourceCode, filter).length === 0;
}

function keyFault(
  sourceCode: SourceCode,
  filter: TSESTree.ObjectExpression,
  property: TSESTree.Property,
  key: string,
): FilterFault {
  const meant = fieldMeant(key);
  const isThere = filter.properties.some((one) => one.type === 'Property' && keyName(one) === meant?.field);
  if (meant !== undefined)
    return {
      kind: 'misspelt',
      node: property.key,
      what: key,
      instead: meant.field,
      mending: isThere ? undefined : renaming(property, meant.field, meant.isSlip),
    };
  const isExtension = EXTENSION_FILTER_FIELDS.some(({ field }) => field === key);
  return {
    kind: isExtension ? 'extensionKey' : 'unknownKey',
    node: property.key,
    what: key,
    mending: removal(sourceCode, property),
  };
}

/** Another key for the same value. */
export function renaming(property: TSESTree.Property, name: string, isCertain: boolean): Mending {
  const { key, value, shorthand } = property;
  const [start, end] = key.range;
  if (shorthand) return { range: [start, start], text: `${name}: `, isCertain };
  const quote = key.type === 'Literal' ? key.raw.charAt(0) : '';
  return {
    range: property.computed ? [property.range[0], value.range[0]] : [start, end],
    text: property.computed ? `${name}: ` : quote + name + quote,
    isCertain,
  };
}

/** One element less of a list or an object, with the comma that belongs to it; undefined where a comment is in the way. */
function removal(sourceCode: SourceCode, element: Node): Mending | undefined {
  const before = sourceCode.getTokenBefore(element);
  const after = sourceCode.getTokenAfter(element);
  if (before === null || after === null) return undefined;
  const next = after.value === ',' ? sourceCode.getTokenAfter(after) : null;
  const range: [number, number] =
    before.value === ','
      ? [before.range[0], element.range[1]]
      : [element.range[0], next === null ? element.range[1] : next.range[0]];
  const text = sourceCode.text.slice(...range);
  return /\/[/*]/.test(text.replaceAll(/'[^']*'|"[^"]*"|`[^`]*`/g, ''))
    ? undefined
    : { range, text: '', isCertain: false };
}

function booleanFault(
  sourceCode: SourceCode,
  property: TSESTree.Property,
  field: FilterField,
): FilterFault | undefined {
  const value = resolve(sourceCode, property.value);
  if (!isOfOtherKind(value) && !(value.type === 'Literal' && typeof value.value !== 'boolean'))
    return undefined;
  const isNo = value.type === 'Literal' && (value.value === 'false' || !value.value);
  return {
    kind: 'notBoolean',
    node: property.value,
    what: field,
    mending:
      isNo || property.shorthand
        ? undefined
        : { range: property.value.range, text: 'true', isCertain: false },
  };
}

function isOfOtherKind({ type }: Node): boolean {
  return ['ArrayExpression', 'ObjectExpression', 'TemplateLiteral', 'ArrowFunctionExpression'].includes(type);
}

function uriFaults(sourceCode: SourceCode, property: TSESTree.Property): FilterFault[] {
  const value = resolve(sourceCode, property.value);
  const what = 'resourceSubscriptions';
  const isSet =
    value.type === 'NewExpression' && value.callee.type === 'Identifier' && value.callee.name === 'Set';
  if (isSet || ['Literal', 'ObjectExpression', 'TemplateLiteral'].includes(value.type)) {
    const own = sourceCode.getText(property.value);
    const isText =
      value.type === 'TemplateLiteral' || (value.type === 'Literal' && typeof value.value === 'string');
    const list = isSet ? `[...${own}]` : isText ? `[${own}]` : undefined;
    return [
      {
        kind: 'notUris',
        node: property.value,
        what,
        mending:
          list === undefined || property.shorthand
            ? undefined
            : { range: property.value.range, text: list, isCertain: false },
      },
    ];
  }
  if (value.type !== 'ArrayExpression') return [];
  return [
    ...value.elements.flatMap((element) =>
      element === null ? [] : (elementFault(sourceCode, element) ?? []),
    ),
    ...nameFaults(sourceCode, value),
  ];
}

/** `{ uri }` in place of the URI, as the call of 2025 has it. */
function elementFault(sourceCode: SourceCode, element: Node): FilterFault | undefined {
  const value = resolve(sourceCode, element);
  const isWrong =
    value.type === 'ObjectExpression' ||
    value.type === 'ArrayExpression' ||
    (value.type === 'Literal' && typeof value.value !== 'string');
  if (!isWrong) return undefined;
  const uri =
    element.type === 'ObjectExpression' && element.properties.length === 1
      ? element.properties[0]
      : undefined;
  const isUri = uri?.type === 'Property' && keyName(uri) === 'uri';
  return {
    kind: 'notUri',
    node: element,
    what: sourceCode.getText(element),
    mending:
      isUri && sourceCode.getCommentsInside(element).length === 0
        ? { range: element.range, text: sourceCode.getText(uri.value), isCertain: false }
        : undefined,
  };
}

/** `notes://{id}`, `file:///logs/*`: URIs match by the exact string. */
const PATTERN = /\{[^{}]*\}|(?:^|\/)\*{1,2}(?:\/|$|\.)/;

function nameFaults(sourceCode: SourceCode, list: TSESTree.ArrayExpression): FilterFault[] {
  const seen = new Set<string>();
  return urisOf(sourceCode, list).flatMap(({ node, uri }): FilterFault[] => {
    const isTwice = seen.has(uri);
    seen.add(uri);
    if (isTwice) return [{ kind: 'twice', node, what: uri, mending: removal(sourceCode, node) }];
    return PATTERN.test(uri) ? [{ kind: 'pattern', node, what: uri }] : [];
  });
}
