/** The text by which a server is served over HTTP in the modern era. */
import { HANDLER_MEMBER, SERVER_OPTION, SERVER_SYMBOL } from '../protocol/index.js';
import { quoted, type FileStyle } from './file-style.js';

/** The constant that holds what `createMcpHandler` returns, and the function that `toNodeHandler` makes of it. */
export const HANDLER_NAME = 'mcpHandler';
export const NODE_HANDLER_NAME = 'serveModern';

/** What the names of the SDK are called in a file. */
export type SdkName = (name: string) => string;

/** What a new handler is made of. */
export interface HandlerText {
  /** The constant. */
  readonly name: string;
  /** The factory's expression. */
  readonly factory: string;
  /** `reject` where legacy requests do not come here; `stateless` is the default and is not written. */
  readonly legacy: 'reject' | 'stateless';
  /** The expression of the bus, where publishers elsewhere share one. */
  readonly bus: string | undefined;
}

/** `const mcpHandler = createMcpHandler(createServer, { legacy: 'reject' });` */
export function handlerStatement(
  { name, factory, legacy, bus }: HandlerText,
  sdk: SdkName,
  style: FileStyle,
): string {
  const options = [
    ...(legacy === 'reject' ? [`${SERVER_OPTION.legacy}: ${quoted(SERVER_OPTION.reject, style)}`] : []),
    ...(bus === undefined ? [] : [busProperty(bus)]),
  ];
  const given = options.length === 0 ? '' : `, { ${options.join(', ')} }`;
  return `const ${name} = ${sdk(SERVER_SYMBOL.createMcpHandler)}(${factory}${given})${style.semicolon}`;
}

/** `bus: changes`, or `bus` alone where that is the name. */
export function busProperty(bus: string): string {
  return bus === SERVER_OPTION.bus ? bus : `${SERVER_OPTION.bus}: ${bus}`;
}

/** `const serveModern = toNodeHandler(mcpHandler);` */
export function nodeHandlerStatement(name: string, handler: string, sdk: SdkName, style: FileStyle): string {
  return `const ${name} = ${sdk(SERVER_SYMBOL.toNodeHandler)}(${handler})${style.semicolon}`;
}

/** `await mcpHandler.close()`; where that cannot be waited for, it is at least begun. */
export function handlerClosing(handler: string, isAwaited: boolean): string {
  return `${isAwaited ? 'await' : 'void'} ${handler}.${HANDLER_MEMBER.close}()`;
}
