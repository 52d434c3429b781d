/** The server's half of the SDK's stand-in: servers, their transports, the entries of version 2. */
import {
  HANDLER_MEMBER,
  PUBLISHERS,
  REGISTRATION_MEMBERS,
  SERVER_CLASSES,
  SERVER_MEMBER,
  SERVER_SYMBOL,
  SERVER_SYMBOLS,
  SERVER_TRANSPORTS,
  V2_SERVER_PACKAGE,
  type ServerTransportRow,
} from '../protocol/index.js';

/** The module that declares all of it. */
export const SERVER_HOME = 'mcp-listen:server';

function publishersOf(name: string): string {
  return PUBLISHERS.filter((row) => row.classes.some((one) => one === name))
    .map((row) => `${row.member}(params?: any): Promise<void>;`)
    .join(' ');
}

const registration = REGISTRATION_MEMBERS.map((member) => `${member}(update?: any): void;`).join(' ');

/* `InMemoryTransport` is the client's: both ends of a linked pair are of one class. */
const transports = SERVER_TRANSPORTS.filter(({ name }) => name !== 'InMemoryTransport').map(
  ({ name }) =>
    `export class ${name} implements ServerTransport { constructor(...args: any[]); readonly sessionId?: string; start(): Promise<void>; send(message: any, options?: any): Promise<void>; close(): Promise<void>; handleRequest(request: any, ...rest: any[]): Promise<any>; handlePostMessage(...args: any[]): Promise<any>; closeSSEStream(id: any): void; onmessage?: any; onclose?: any; onerror?: any; }`,
);

const home = `
export interface ServerTransport { sessionId?: string; start(): Promise<void>; send(message: any, options?: any): Promise<void>; close(): Promise<void>; onmessage?: any; onclose?: any; onerror?: any; }
${transports.join('\n')}
export interface RegisteredTool { enabled: boolean; ${registration} }
export interface RegisteredPrompt { enabled: boolean; ${registration} }
export interface RegisteredResource { enabled: boolean; ${registration} }
export interface RegisteredResourceTemplate { enabled: boolean; ${registration} }
export class Server<RequestT = any, NotificationT = any, ResultT = any> {
  constructor(info: any, options?: any);
  readonly transport?: ServerTransport;
  onclose?: any; onerror?: any; oninitialized?: any; fallbackRequestHandler?: any; fallbackNotificationHandler?: any;
  ${SERVER_MEMBER.connect}(transport: any): Promise<void>;
  ${SERVER_MEMBER.close}(): Promise<void>;
  ${SERVER_MEMBER.setRequestHandler}(kind: any, ...rest: any[]): void;
  removeRequestHandler(method: any): void;
  setNotificationHandler(kind: any, ...rest: any[]): void;
  ${SERVER_MEMBER.registerCapabilities}(capabilities: any): void;
  ${SERVER_MEMBER.notification}(notification: any, options?: any): Promise<void>;
  request(request: any, ...rest: any[]): Promise<any>;
  ${SERVER_MEMBER.sendLoggingMessage}(params: any, session?: any): Promise<void>;
  ping(): Promise<any>; createMessage(params: any, options?: any): Promise<any>; elicitInput(params: any, options?: any): Promise<any>; listRoots(params?: any, options?: any): Promise<any>;
  getClientCapabilities(): any; getClientVersion(): any; getCapabilities(): any;
  ${publishersOf('Server')}
}
export class McpServer {
  constructor(info: any, options?: any);
  readonly server: Server;
  readonly experimental: any;
  ${SERVER_MEMBER.connect}(transport: any): Promise<void>;
  ${SERVER_MEMBER.close}(): Promise<void>;
  ${SERVER_MEMBER.isConnected}(): boolean;
  tool(name: any, ...rest: any[]): RegisteredTool; ${SERVER_MEMBER.registerTool}(name: any, ...rest: any[]): RegisteredTool;
  prompt(name: any, ...rest: any[]): RegisteredPrompt; ${SERVER_MEMBER.registerPrompt}(name: any, ...rest: any[]): RegisteredPrompt;
  resource(name: any, ...rest: any[]): RegisteredResource; ${SERVER_MEMBER.registerResource}(name: any, ...rest: any[]): RegisteredResource;
  ${SERVER_MEMBER.sendLoggingMessage}(params: any, session?: any): Promise<void>;
  ${publishersOf('McpServer')}
}
export interface McpRequestContext { era: any; authInfo?: any; }
export type McpServerFactory = (context: McpRequestContext) => McpServer | Server | Promise<McpServer | Server>;
export interface ServerNotifier { ${PUBLISHERS.map((row) => `${row.notify}(uri?: any): void;`).join(' ')} }
export interface ServerEventBus { publish(event: any): void; subscribe(listener: any): any; }
export class ${SERVER_SYMBOL.inMemoryServerEventBus} implements ServerEventBus { publish(event: any): void; subscribe(listener: any): any; }
export interface McpHttpHandler { ${HANDLER_MEMBER.fetch}(request: any, options?: any): Promise<any>; readonly ${HANDLER_MEMBER.notify}: ServerNotifier; readonly ${HANDLER_MEMBER.bus}: ServerEventBus; ${HANDLER_MEMBER.close}(): Promise<void>; }
export interface StdioServerHandle { close(): Promise<void>; }
export function ${SERVER_SYMBOL.createMcpHandler}(factory: McpServerFactory, options?: any): McpHttpHandler;
export function ${SERVER_SYMBOL.serveStdio}(factory: McpServerFactory, options?: any): StdioServerHandle;
export function ${SERVER_SYMBOL.isLegacyRequest}(request: any, options?: any): Promise<boolean>;
export function ${SERVER_SYMBOL.legacyStatelessFallback}(...args: any[]): any;
export function ${SERVER_SYMBOL.hostHeaderValidationResponse}(...args: any[]): any;
export function ${SERVER_SYMBOL.originValidationResponse}(...args: any[]): any;
export function ${SERVER_SYMBOL.toNodeHandler}(handler: McpHttpHandler, options?: any): any;
export function ${SERVER_SYMBOL.toWebRequest}(request: any, body?: any): Promise<any>;
export function isInitializeRequest(value: any): boolean;
`;

const modules = new Set<string>([
  V2_SERVER_PACKAGE,
  ...SERVER_CLASSES.flatMap((row) => [...row.v1Modules, row.v2Module]),
  ...SERVER_SYMBOLS.map((row) => row.module),
  ...SERVER_TRANSPORTS.filter(({ name }) => name !== 'InMemoryTransport').flatMap((row: ServerTransportRow) =>
    [row.v1Module, row.v2Module].flatMap((specifier) =>
      specifier === undefined ? [] : [specifier, specifier.replace(/\.js$/, '')],
    ),
  ),
]);

/**
 * One ambient module per specifier, all of them the same declarations.
 *
 * @param pair the module that declares the transport of a linked pair
 */
export function serverDeclarations(pair: string): string {
  return [
    `declare module '${SERVER_HOME}' {${home}}`,
    ...[...modules].map((specifier) => {
      const linked =
        specifier === V2_SERVER_PACKAGE ? `export { InMemoryTransport, Transport } from '${pair}'; ` : '';
      return `declare module '${specifier}' { ${linked}export * from '${SERVER_HOME}'; }`;
    }),
  ].join('\n');
}
