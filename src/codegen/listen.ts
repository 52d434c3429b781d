/** The text of calls that listen: through the managed stream, or inline. */
import { CLIENT_MEMBER, SUBSCRIPTION_MEMBER, type ListKind } from '../protocol/index.js';
import { CHANGE_STREAM_METHOD } from './change-stream.js';
import { quoted, type FileStyle } from './file-style.js';

/**
 * `await changeStream(client).listen({ toolsListChanged: true });`
 *
 * @param wishes each kind with the expression that says whether it is wanted
 * @param waiting `void` where nothing can be awaited
 */
export function streamListenStatement(
  stream: string,
  receiver: string,
  wishes: readonly { readonly kind: ListKind; readonly when: string }[],
  style: FileStyle,
  waiting: 'await' | 'void' = 'await',
): string {
  const filter = wishes.map(({ kind, when }) => `${kind}: ${when}`).join(', ');
  return `${waiting} ${stream}(${receiver}).${CHANGE_STREAM_METHOD.listen}({ ${filter} })${style.semicolon}`;
}

/**
 * An inline listen for one URI, and the lines behind it that insist on the URI: an acknowledgment without it closes the
 * stream and throws.
 *
 * @param receiver the client, as written
 * @param uri the URI's expression, as written
 * @param name the name of the constant that holds the subscription
 * @param indent the indentation of the first line (which the caller has in place already)
 */
export function inlineListen(
  receiver: string,
  uri: string,
  uriLiteral: string | undefined,
  name: string,
  indent: string,
  style: FileStyle,
): [opening: string, insisting: string] {
  const { eol, semicolon } = style;
  const honoured = `${name}.${SUBSCRIPTION_MEMBER.honoredFilter}.resourceSubscriptions?.includes(${uri})`;
  const message =
    uriLiteral === undefined
      ? `\`The server does not send updates of \${${uri}}\``
      : quoted(`The server does not send updates of ${uriLiteral}`, style);
  const insisting = [
    '',
    `${indent}if (!${honoured}) {`,
    `${indent}${style.indent}await ${name}.${SUBSCRIPTION_MEMBER.close}()${semicolon}`,
    `${indent}${style.indent}throw new Error(${message})${semicolon}`,
    `${indent}}`,
  ];
  return [
    `const ${name} = await ${receiver}.${CLIENT_MEMBER.listen}({ resourceSubscriptions: [${uri}] })${semicolon}`,
    insisting.join(eol),
  ];
}
