import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

import { TSX } from './stdio-server.js';
import { until } from './until.js';

/** A client's transport to a server app that it starts, as the SDK's own, but the process can be looked at while it runs and after. */
export class ChildTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  onerror?: (error: Error) => void;

  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  #complained = '';

  constructor(directory: string, entry: string, period: number) {
    this.#child = spawn(process.execPath, [...TSX, entry], {
      cwd: directory,
      env: { ...process.env, PERIOD: String(period) },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child.stderr.on('data', (chunk: Buffer) => (this.#complained += chunk.toString()));
    this.#child.stdin.on('error', () => undefined); // a process that died takes nothing more
    this.#child.on('exit', () => this.onclose?.());
  }

  get alive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get complaints(): string {
    return this.#complained;
  }

  async start(): Promise<void> {
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      this.onmessage?.(JSON.parse(line) as JSONRPCMessage);
    });
    await Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  /** Ends the input. A server has nothing left to do then, and ends by itself. */
  close(): Promise<void> {
    this.#child.stdin.end();
    return Promise.resolve();
  }

  /** How the process ended, once its input has. */
  async ended(): Promise<number | null> {
    await until('the server ends by itself', () => !this.alive, 10_000).catch(async (error: unknown) => {
      await this.kill();
      throw error;
    });
    return this.#child.exitCode;
  }

  async kill(): Promise<void> {
    if (!this.alive) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }
}

/** Asks `server/discover` first and then goes on as a client of 2025 does, in the same process. */
export class ProbingTransport extends ChildTransport {
  override async start(): Promise<void> {
    await super.start();
    const { onmessage } = this;
    await new Promise<void>((resolve) => {
      this.onmessage = () => resolve();
      void this.send(DISCOVER);
    });
    if (onmessage) this.onmessage = onmessage;
  }
}

const DISCOVER: JSONRPCMessage = {
  jsonrpc: '2.0',
  id: 'probe',
  method: 'server/discover',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'prober', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
};
