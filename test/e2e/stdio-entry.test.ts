/**
 * Servers that were wired to stdio by hand, in every form that is rewritten, run after the migration (the fixtures hold what
 * it makes of them): clients of both eras, and one that probes and then falls back in the same process.
 */
import { Client } from '@modelcontextprotocol/client';
import { afterAll, afterEach, describe, expect, it } from 'vitest';

import { ChildTransport, ProbingTransport } from './support/child-transport.js';
import type { Era } from './support/notes-server.js';
import { filterOf, FORMS, layOutForm, removeForms, type StdioForm } from './support/stdio-forms.js';
import { NEVER } from './support/served-process.js';

const CHANGES = 5;
const children: ChildTransport[] = [];
const rows: string[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) await child.kill();
});
afterAll(() => {
  removeForms();
  console.log(`\nform, client: changes before it asked/heard, changes after/heard\n\n${rows.join('\n')}\n`);
});

function startIn(folder: string, { entry }: StdioForm, probes = false): ChildTransport {
  const child = new (probes ? ProbingTransport : ChildTransport)(folder, entry, NEVER);
  children.push(child);
  return child;
}

function clientOf(era: Era): Client {
  return new Client(
    { name: era, version: '1.0.0' },
    era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  );
}

interface Heard {
  readonly before: number;
  readonly after: number;
}

/** Counts what a client hears of changes before it has asked for them, and after. */
async function listenTo(form: StdioForm, transport: ChildTransport, era: Era, name: string): Promise<Heard> {
  const client = clientOf(era);
  let heard = 0;
  client.setNotificationHandler(form.tells, () => {
    heard += 1;
  });
  await client.connect(transport);
  const change = async (): Promise<void> => {
    const { isError } = await client.callTool({ name: form.tool, arguments: {} });
    expect(isError ?? false).toBe(false);
  };
  await change();
  await client.listTools(); // behind whatever the change has sent
  const before = heard;
  if (era === 'modern') expect((await client.listen(filterOf(form))).honoredFilter).toEqual(filterOf(form));
  else if (form.uri !== undefined) await client.subscribeResource({ uri: form.uri });
  heard = 0;
  for (let number = 0; number < CHANGES; number += 1) await change();
  await client.listTools();
  const after = heard;
  rows.push(`${form.fixture}, ${name}: 1/${String(before)}, ${String(CHANGES)}/${String(after)}`);
  await client.close();
  expect(await transport.ended(), transport.complaints).toBe(0);
  return { before, after };
}

/** Lists change for all clients of 2025, who have no way to ask; updates reach those who subscribed. */
function ofLegacy({ uri }: StdioForm): Heard {
  return { before: uri === undefined ? 1 : 0, after: CHANGES };
}

describe.each(FORMS)('$fixture', (form) => {
  describe('for both eras', () => {
    const folder = layOutForm(form, 'dual');

    it('tells a client of 2026 what it listens to', async () => {
      const heard = await listenTo(form, startIn(folder, form), 'modern', '2026');
      expect(heard).toEqual({ before: 0, after: CHANGES });
    });

    it('tells a client of 2025 what it asked for', async () => {
      expect(await listenTo(form, startIn(folder, form), 'legacy', '2025')).toEqual(ofLegacy(form));
    });

    it('survives a client that probes and then falls back', async () => {
      const heard = await listenTo(form, startIn(folder, form, true), 'legacy', '2025 after a probe');
      expect(heard).toEqual(ofLegacy(form));
    });
  });

  describe('for 2026 alone', () => {
    const folder = layOutForm(form, 'modern');

    it('tells a client of 2026 what it listens to', async () => {
      const heard = await listenTo(form, startIn(folder, form), 'modern', '2026, modern');
      expect(heard).toEqual({ before: 0, after: CHANGES });
    });

    it('refuses a client of 2025', async () => {
      await expect(clientOf('legacy').connect(startIn(folder, form))).rejects.toThrow(
        /2026-07-28|nsupported/,
      );
    });
  });
});
