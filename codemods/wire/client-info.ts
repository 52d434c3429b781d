/** Who a raw client says that it is: what its handshake says, where a listen can say the same. */
import { METHOD } from '../../src/protocol/index.js';
import { isNameOnly, isVisibleAt } from './bindings.js';
import { isPure } from './text-edits.js';
import { within, type Node } from './tree.js';
import { valueOf } from './values.js';
import { messagesOf, type WireMessage } from './wire-messages.js';
import type { WireModule } from './wire-module.js';

/** What a client without a handshake in sight is called. */
const UNNAMED = '{ name: NAME, version: VERSION }';

/** The expression of a listen's `clientInfo` at a place, as written. */
export function clientInfoAt(module: WireModule, place: Node): string {
  const { params } = handshakeOf(module) ?? {};
  const given = params === undefined ? undefined : valueOf(module, params, 'clientInfo');
  const isAlike =
    given !== undefined &&
    isPure(given) &&
    [...within(given)].every(
      (node) =>
        node.type !== 'ThisExpression' &&
        (node.type !== 'Identifier' || isNameOnly(module, node) || isVisibleAt(module, node, place)),
    );
  if (isAlike)
    return module
      .textOf(given)
      .replaceAll(/\s*\n\s*/g, ' ')
      .replace(/,\s*\}/g, ' }');
  const { quote } = module.style;
  return UNNAMED.replace('NAME', `${quote}mcp-client${quote}`).replace('VERSION', `${quote}1.0.0${quote}`);
}

/** The message by which a module opens a 2025 session. */
export function handshakeOf(module: WireModule): WireMessage | undefined {
  return messagesOf(module).find(({ method }) => method.name === METHOD.initialize);
}
