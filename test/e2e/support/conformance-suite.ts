/** The official conformance suite (`@modelcontextprotocol/conformance`), one scenario at a time, against a running server. */
import * as fileSystem from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { glob } from 'tinyglobby';

import { run } from './notes-app.js';
import { TSX } from './stdio-server.js';

export interface Scenario {
  readonly name: string;
  readonly revision: '2025-11-25' | '2026-07-28';
  /** How many of its checks succeed. */
  readonly passes: number;
  /** Every check that does not, as `<id>: <status>`, and why that is not for us to change. */
  readonly others: Readonly<Record<string, string>>;
}

/** A check as the suite writes it down. */
interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

export interface Outcome {
  readonly passes: number;
  /** `<id>: <status>` of every check that is no success, in order. */
  readonly others: string[];
  /** What the suite says of them. */
  readonly explained: string;
}

const SUITE = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');
const LOADABLE =
  'globSync' in fileSystem
    ? []
    : [...TSX, '--import', new URL('./conformance-on-node-20.ts', import.meta.url).href];

export async function runScenario(
  { name, revision }: Pick<Scenario, 'name' | 'revision'>,
  url: string,
): Promise<Outcome> {
  const results = await mkdtemp(join(tmpdir(), 'mcp-listen-conformance-'));
  try {
    const words = ['server', '--url', url, '--scenario', name, '--spec-version', revision, '-o', results];
    const { stdout, stderr } = await run(process.execPath, [...LOADABLE, SUITE, ...words], results);
    const [file] = await glob('*/checks.json', { cwd: results, absolute: true });
    if (file === undefined) throw new Error(`The suite left no results:\n${stdout}${stderr}`);
    const checks = JSON.parse(await readFile(file, 'utf8')) as Check[];
    const others = checks.filter(({ status }) => status !== 'SUCCESS');
    return {
      passes: checks.length - others.length,
      others: others.map(({ id, status }) => `${id}: ${status}`),
      explained: others.map(({ id, errorMessage = '' }) => `${id}: ${errorMessage}`).join('\n'),
    };
  } finally {
    await rm(results, { recursive: true, force: true });
  }
}
