/**
 * A server of notes on the real SDK, in four forms: 2025 and 2026, over HTTP and stdio. This file holds what the forms share:
 * what is served, and the strings that a test pulls.
 */
import { McpServer } from '@modelcontextprotocol/server';

export type Era = 'legacy' | 'modern';
export type Wire = 'http' | 'stdio';

/** What a test can do to a running server. Every change has left the server when its promise resolves. */
export interface NotesServer {
  readonly era: Era;
  readonly wire: Wire;
  /** What the app takes on its command line: a URL, or a command with its arguments. */
  readonly target: string[];
  change(uri: string): Promise<void>;
  toolsChanged(): Promise<void>;
  resourcesChanged(): Promise<void>;
  /** JSON-RPC methods received so far (and `GET`, `DELETE` over HTTP), in order. */
  seen(): string[];
  /** Open streams on which changes can arrive; a stdio connection is one on the 2025 revision. */
  streams(): number;
  /** Cuts every stream of changes in the middle; over stdio the process dies. */
  drop(): Promise<void>;
  /** Goes away and comes back as if it had never known anyone. Over stdio the client has to start it. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export const NOTES = ['notes://today', 'notes://shopping', 'notes://ideas', 'notes://health'] as const;

/** What is served, independent of any connection. */
export class Desk {
  private readonly versions = new Map<string, number>(NOTES.map((uri) => [uri, 1]));
  readonly tools = ['search'];

  get uris(): string[] {
    return [...this.versions.keys()];
  }

  text(uri: string): string {
    return `version ${String(this.versions.get(uri) ?? 0)}`;
  }

  change(uri: string): void {
    this.versions.set(uri, (this.versions.get(uri) ?? 0) + 1);
  }

  addTool(): string {
    const name = `tool-${String(this.tools.length)}`;
    this.tools.push(name);
    return name;
  }

  addNote(): string {
    const uri = `notes://extra-${String(this.versions.size)}`;
    this.versions.set(uri, 1);
    return uri;
  }
}

export function buildServer(desk: Desk): McpServer {
  const server = new McpServer(
    { name: 'notes', version: '1.0.0' },
    { capabilities: { logging: {}, resources: { subscribe: true } } },
  );
  for (const name of desk.tools) serveTool(server, name);
  for (const uri of desk.uris) serveNote(server, desk, uri);
  return server;
}

export function serveTool(server: McpServer, name: string): void {
  server.registerTool(name, { description: `Does ${name}` }, () => ({
    content: [{ type: 'text', text: name }],
  }));
}

export function serveNote(server: McpServer, desk: Desk, uri: string): void {
  server.registerResource(uri.replace('notes://', ''), uri, {}, () => ({
    contents: [{ uri, text: desk.text(uri) }],
  }));
}

/** The 2025 handlers: who wants to hear of what, per connection. Returns the gate. */
export function acceptSubscriptions(server: McpServer): Set<string> {
  const subscribed = new Set<string>();
  server.server.setRequestHandler('resources/subscribe', ({ params }) => {
    subscribed.add(params.uri);
    return {};
  });
  server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
  return subscribed;
}
