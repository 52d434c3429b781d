/**
 * Declarations of the MCP SDK, as much as value flow needs, for every module specifier of both generations.
 *
 * They stand in for the installed packages, so that a clone without `node_modules` is read as well as one with them,
 * and so that no part of the SDK's own declarations is parsed.
 */
import {
  CLIENT_CLASS,
  CLIENT_MEMBER,
  CLIENT_MODULES,
  CLIENT_TRANSPORTS,
  LEGACY_ONLY_CALLS,
  type ClientTransportRow,
} from '../protocol/index.js';
import { serverDeclarations } from './sdk-server-declarations.js';

/** The virtual file that holds {@link SDK_DECLARATIONS}. */
export const SDK_DECLARATIONS_FILE = '/mcp-listen/sdk.d.ts';

const HOME = 'mcp-listen:sdk';

const legacyCalls = LEGACY_ONLY_CALLS.map(
  (call) => `${call.member}(params?: any, options?: any): Promise<any>;`,
);

const transports = CLIENT_TRANSPORTS.map(({ name }) =>
  name === 'InMemoryTransport'
    ? `export class ${name} implements Transport { static createLinkedPair(): [${name}, ${name}]; sessionId?: string; start(): Promise<void>; send(message: any, options?: any): Promise<void>; close(): Promise<void>; onmessage?: any; onclose?: any; onerror?: any; }`
    : `export class ${name} implements Transport { constructor(...args: any[]); readonly sessionId?: string; start(): Promise<void>; send(message: any, options?: any): Promise<void>; close(): Promise<void>; terminateSession(): Promise<void>; onmessage?: any; onclose?: any; onerror?: any; }`,
);

/* Type parameters are those of v1's Client; v2 has none, and they all have defaults. */
const home = `
export interface Transport { sessionId?: string; start(): Promise<void>; send(message: any, options?: any): Promise<void>; close(): Promise<void>; onmessage?: any; onclose?: any; onerror?: any; }
${transports.join('\n')}
export interface ClientOptions { [option: string]: any; }
export class ${CLIENT_CLASS}<RequestT = any, NotificationT = any, ResultT = any> {
  constructor(info: any, options?: ClientOptions);
  readonly transport?: Transport;
  onclose?: any; onerror?: any; ${CLIENT_MEMBER.fallbackNotificationHandler}?: any; fallbackRequestHandler?: any;
  ${CLIENT_MEMBER.connect}(transport: Transport, options?: any): Promise<void>;
  ${CLIENT_MEMBER.close}(): Promise<void>;
  ${CLIENT_MEMBER.request}(request: any, ...rest: any[]): Promise<any>;
  ${CLIENT_MEMBER.notification}(notification: any, options?: any): Promise<void>;
  ${CLIENT_MEMBER.setNotificationHandler}(kind: any, ...rest: any[]): void;
  ${CLIENT_MEMBER.removeNotificationHandler}(method: string): void;
  setRequestHandler(kind: any, ...rest: any[]): void;
  removeRequestHandler(method: string): void;
  ${CLIENT_MEMBER.listen}(filter: any, options?: any): Promise<any>;
  ${CLIENT_MEMBER.getProtocolEra}(): any;
  ${CLIENT_MEMBER.getServerCapabilities}(): any;
  ${CLIENT_MEMBER.setVersionNegotiation}(options: any): void;
  getServerVersion(): any; getInstructions(): any; getNegotiatedProtocolVersion(): any;
  registerCapabilities(capabilities: any): void;
  readonly ${CLIENT_MEMBER.autoOpenedSubscription}?: any;
  ${legacyCalls.join('\n  ')}
  listTools(params?: any, options?: any): Promise<any>; listPrompts(params?: any, options?: any): Promise<any>;
  listResources(params?: any, options?: any): Promise<any>; listResourceTemplates(params?: any, options?: any): Promise<any>;
  readResource(params: any, options?: any): Promise<any>; getPrompt(params: any, options?: any): Promise<any>;
  callTool(params: any, ...rest: any[]): Promise<any>; complete(params: any, options?: any): Promise<any>;
}
`;

const modules = new Set<string>([
  ...CLIENT_MODULES,
  ...CLIENT_TRANSPORTS.flatMap((row: ClientTransportRow) => [
    row.v1Module,
    ...(row.v2Module === undefined ? [] : [row.v2Module]),
  ]),
]);

/** One ambient module per specifier, all of them the same declarations. */
export const SDK_DECLARATIONS = [
  `declare module '${HOME}' {${home}}`,
  serverDeclarations(HOME),
  ...[...modules].map((specifier) => `declare module '${specifier}' { export * from '${HOME}'; }`),
  // Hooks through which a client passes without a trace in the types of a clone that lacks its dependencies.
  `declare module 'react' {
    export function useState<T>(initial: T | (() => T)): [T, (next: T | ((previous: T) => T)) => void];
    export function useState<T = undefined>(): [T | undefined, (next: T | undefined) => void];
    export function useRef<T>(initial: T): { current: T };
    export function useRef<T>(initial: T | null): { current: T | null };
    export function useMemo<T>(factory: () => T, dependencies?: any): T;
    export function useCallback<T>(callback: T, dependencies?: any): T;
    export function createContext<T>(value: T): { Provider: any; Consumer: any; value: T };
    export function useContext<T>(context: { value: T }): T;
    const React: any;
    export default React;
  }`,
].join('\n');
