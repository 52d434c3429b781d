/** The edits by which a client asks for changes: a listen after `connect()`, or one more key in a filter. */
import { endOfLineComment, indentAt, quoted, readFileStyle } from '../../../src/codegen/file-style.js';
import { CLIENT_MEMBER, LIST_KINDS, type FilterField } from '../../../src/protocol/index.js';
import { parentOf, type SourceCode, type TSESLint } from '../ast.js';
import { clientCalls, isSameClient, type SdkClient } from '../detection/clients.js';
import type { Listen } from '../detection/listens.js';

/** At most one fix: none where the client is connected in several places, or nothing can be awaited there. */
export function listenAfterConnectFixes(
  sourceCode: SourceCode,
  client: SdkClient,
  fields: readonly FilterField[],
): TSESLint.ReportFixFunction[] {
  const filter = listFilter(fields);
  const connects = clientCalls(sourceCode, CLIENT_MEMBER.connect).filter((one) =>
    isSameClient(one.client, client),
  );
  const [connect] = connects;
  if (filter === undefined || connect === undefined || connects.length > 1) return [];
  const awaited = parentOf(connect.call);
  const statement = awaited?.type === 'AwaitExpression' ? parentOf(awaited) : undefined;
  if (statement?.type !== 'ExpressionStatement') return [];
  const block = parentOf(statement)?.type;
  if (block !== 'BlockStatement' && block !== 'Program') return [];
  const { text } = sourceCode;
  const style = readFileStyle(text);
  const [start, end] = statement.range;
  const indent = indentAt(text, start);
  const receiver = sourceCode.getText(connect.receiver);
  const listening = `await ${receiver}.${CLIENT_MEMBER.listen}({ ${filter} })${style.semicolon}`;
  const lines =
    client.era === 'modern'
      ? ['', `${indent}${listening}`]
      : [
          '',
          `${indent}if (${receiver}.${CLIENT_MEMBER.getProtocolEra}() === ${quoted('modern', style)}) {`,
          `${indent}${style.indent}${listening}`,
          `${indent}}`,
        ];
  const insertion = lines.join(style.eol);
  return [(fixer) => fixer.insertTextAfterRange([start, endOfLineComment(text, end)], insertion)];
}

/** At most one fix: none where there is more than one filter, or it does not stand in the call. */
export function wishFixes(
  sourceCode: SourceCode,
  listens: readonly Listen[],
  fields: readonly FilterField[],
): TSESLint.ReportFixFunction[] {
  const wishes = listFilter(fields);
  const [listen] = listens;
  const filter = listen?.filter;
  if (wishes === undefined || listens.length > 1 || filter?.type !== 'ObjectExpression') return [];
  const last = filter.properties.at(-1);
  if (last === undefined)
    return sourceCode.getCommentsInside(filter).length > 0
      ? []
      : [(fixer) => fixer.replaceText(filter, `{ ${wishes} }`)];
  return [(fixer) => fixer.insertTextAfter(last, `, ${wishes}`)];
}

/** `toolsListChanged: true, …`; undefined where URIs are to be named that nobody knows. */
function listFilter(fields: readonly FilterField[]): string | undefined {
  const kinds = LIST_KINDS.filter((kind) => fields.includes(kind));
  return kinds.length === 0 || kinds.length < fields.length
    ? undefined
    : kinds.map((kind) => `${kind}: true`).join(', ');
}
