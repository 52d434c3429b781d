/** What value flow follows: the instances of one kind of the SDK's classes. */
import { CLIENT_CLASS, SERVER_CLASSES, SERVER_TRANSPORTS } from '../protocol/index.js';

/** A kind of instance. */
export interface Subject {
  readonly name: 'client' | 'server' | 'server-transport' | 'mcp-handler';
  /** Names of the classes and interfaces in the SDK's declarations. */
  readonly classes: readonly string[];
  /** A member whose value stands for the instance itself: `server.server`. */
  readonly alias?: string;
}

export const CLIENT: Subject = { name: 'client', classes: [CLIENT_CLASS] };

/** Both classes of servers: `mcpServer.server` is the same server. */
export const SERVER: Subject = {
  name: 'server',
  classes: SERVER_CLASSES.map(({ name }) => name),
  alias: 'server',
};

/** What a server is wired to by hand. */
export const SERVER_TRANSPORT: Subject = {
  name: 'server-transport',
  classes: [...SERVER_TRANSPORTS.map(({ name }) => name), 'ServerTransport'],
};
