/** The edit that makes a listen request of a GET that opens an event stream. */
import { indentAt, readFileStyle } from '../../../src/codegen/file-style.js';
import { listenPostOptions } from '../../../src/codegen/raw-listen.js';
import { FILTER_FIELDS, HEADER, LIST_KINDS, type ListKind } from '../../../src/protocol/index.js';
import { keyName, type SourceCode, type TSESLint, type TSESTree } from '../ast.js';
import { headerName } from '../detection/http-headers.js';
import type { HttpRequest } from '../detection/http-requests.js';
import { nodesOf } from '../detection/nodes.js';

/** Headers that the request gets anew, or that belong to the legacy era. */
const REPLACED = new Set<string>(
  [
    HEADER.accept,
    HEADER.protocolVersion,
    HEADER.method,
    HEADER.sessionId,
    HEADER.lastEventId,
    'content-type',
  ].map((name) => name.toLowerCase()),
);

/** At most one fix: none where the options or headers are not written out in place, or hold a comment. */
export function listenPosts(
  sourceCode: SourceCode,
  { call, init }: HttpRequest,
): TSESLint.ReportFixFunction[] {
  const headers = init.properties.find(
    (property): property is TSESTree.Property =>
      property.type === 'Property' && keyName(property) === 'headers',
  );
  if (call.arguments[1] !== init || headers?.value.type !== 'ObjectExpression') return [];
  if (sourceCode.getCommentsInside(init).length > 0) return [];
  const keptHeaders = keptText(sourceCode, headers.value);
  const keptOptions = init.properties.flatMap((property) => {
    const name = property.type === 'Property' ? keyName(property) : undefined;
    return name === 'headers' || name === 'method' ? [] : [sourceCode.getText(property)];
  });
  if (keptHeaders === undefined) return [];
  const { text } = sourceCode;
  const options = listenPostOptions(
    kindsNamed(sourceCode),
    { headers: keptHeaders, options: keptOptions },
    /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', init.range[0]) + 1))?.[0] ?? indentAt(text, 0),
    readFileStyle(text),
  );
  return [(fixer) => fixer.replaceText(init, options)];
}

/** The headers that stay, as written; undefined where a spread may hold one that must go. */
function keptText(sourceCode: SourceCode, headers: TSESTree.ObjectExpression): string[] | undefined {
  const kept: string[] = [];
  for (const property of headers.properties) {
    const name = property.type === 'Property' ? headerName(sourceCode, property)?.toLowerCase() : undefined;
    const text = sourceCode.getText(property);
    if (name === undefined) {
      const isLegacy = [HEADER.sessionId, HEADER.lastEventId, HEADER.accept].some((header) =>
        text.toLowerCase().includes(header.toLowerCase()),
      );
      // { ...(last && { 'last-event-id': last }) } has nothing else in it.
      const only = /\{([^{}]*)\}/.exec(text.replace('...', ''))?.[1];
      if (isLegacy && (only === undefined || only.includes(','))) return undefined;
      if (!isLegacy) kept.push(text);
    } else if (!REPLACED.has(name)) kept.push(text);
  }
  return kept;
}

/** The kinds whose notifications the file handles; all of them where it names none. */
function kindsNamed(sourceCode: SourceCode): readonly ListKind[] {
  const named = new Set(
    nodesOf(sourceCode)
      .of('Literal')
      .map(({ value }) => value),
  );
  const kinds = LIST_KINDS.filter((kind) =>
    FILTER_FIELDS.some(({ field, notification }) => field === kind && named.has(notification)),
  );
  return kinds.length === 0 ? LIST_KINDS : kinds;
}
