/** The forms of servers on stdio that are run: fixtures as they are expected to be after a migration. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { SubscriptionFilter } from '@modelcontextprotocol/client';

import type { Target } from '../../../src/codegen/negotiation.js';
import { readFixtures, WORKBENCH } from '../../support/fixtures.js';

/** One form: what changes it, and what is told of that. */
export interface StdioForm {
  readonly fixture: string;
  readonly entry: string;
  /** The tool whose call is one change. */
  readonly tool: string;
  readonly tells:
    | 'notifications/resources/updated'
    | 'notifications/resources/list_changed'
    | 'notifications/tools/list_changed';
  /** Of the resource that is updated. */
  readonly uri?: string;
}

function updates(fixture: string, entry: string, tool: string, uri: string): StdioForm {
  return { fixture, entry, tool, uri, tells: 'notifications/resources/updated' };
}

function lists(fixture: string, entry: string, tool: string, list: 'resources' | 'tools'): StdioForm {
  return { fixture, entry, tool, tells: `notifications/${list}/list_changed` };
}

export const FORMS: readonly StdioForm[] = [
  updates('stdio-gate-in-module', 'input.ts', 'add', 'memory://graph'),
  updates('stdio-gate-in-function', 'input.ts', 'switch', 'home://state'),
  updates('stdio-gate-in-block', 'input.mjs', 'next', 'count://now'),
  lists('stdio-module', 'main.ts', 'move', 'resources'),
  lists('stdio-module-script', 'input.mjs', 'alpha', 'tools'),
  lists('stdio-block', 'main.ts', 'publish', 'resources'),
  lists('stdio-built-in-steps', 'input.ts', 'write', 'resources'),
  lists('stdio-class', 'input.ts', 'oslo', 'tools'),
  lists('stdio-function', 'server.ts', 'reload', 'tools'),
  lists('stdio-arguments', 'input.ts', 'rescan', 'tools'),
  lists('stdio-in-place', 'input.cjs', 'forget', 'tools'),
];

/** What a client of 2026 listens to. */
export function filterOf({ tells, uri }: StdioForm): SubscriptionFilter {
  if (uri !== undefined) return { resourceSubscriptions: [uri] };
  return tells === 'notifications/tools/list_changed'
    ? { toolsListChanged: true }
    : { resourcesListChanged: true };
}

const FOLDER = `${WORKBENCH}-stdio`;

/** Lays out what a migration makes of a form; the folder of the package. */
export function layOutForm({ fixture: name }: StdioForm, target: Target): string {
  const fixture = readFixtures(['server']).find((one) => one.name === name);
  if (fixture === undefined) throw new Error(`no fixture ${name}`);
  const folder = join(FOLDER, target, name);
  rmSync(folder, { recursive: true, force: true });
  const files = new Map([...fixture.input, ...fixture.expected[target]]);
  files.set('package.json', fixture.manifest);
  files.set('ABOUT.md', 'What one of them reads as it starts.\n');
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

export function removeForms(): void {
  rmSync(FOLDER, { recursive: true, force: true });
}
