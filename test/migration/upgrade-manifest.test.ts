import { describe, expect, it } from 'vitest';
import {
  upgradeManifest,
  type ManifestEdit,
  type ManifestInput,
} from '../../src/migration/upgrade-manifest.js';
import { parseManifest } from '../../src/workspace/manifest.js';

const SDK = '@modelcontextprotocol/sdk';
const CLIENT = '@modelcontextprotocol/client';
const CORE = '@modelcontextprotocol/core';
const NODE = '@modelcontextprotocol/node';

/** The edit of a package.json with these fields, whose code uses client and core. */
function edited(json: object, parts: Partial<ManifestInput> = {}): ManifestEdit & { json: unknown } {
  const text = JSON.stringify(json, null, 2);
  const edit = upgradeManifest({
    manifest: parseManifest('/project', text)!,
    text,
    workspace: undefined,
    used: new Set([CLIENT, CORE]),
    chosen: { [CLIENT]: '^2.3.1', [CORE]: '^2.3.1' },
    chosenForTests: {},
    neededBy: [],
    ...parts,
  });
  return { ...edit, json: JSON.parse(edit.text) };
}

const said = ({ messages }: ManifestEdit): string[] => messages.map(({ message }) => message);

describe('the package.json of an upgraded package', () => {
  it.each(['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'])(
    'lists version 2 where it listed version 1: %s',
    (field) => {
      const edit = edited({ name: 'x', [field]: { [SDK]: '^1.0.0', zod: '^4.0.0' } });
      expect(edit.json).toEqual({
        name: 'x',
        [field]: { [CLIENT]: '^2.4.0', [CORE]: '^2.3.1', zod: '^4.0.0' },
      });
      expect(edit.removed).toBe(true);
    },
  );

  it('has the range of the official codemod, but a client that can listen', () => {
    expect(edited({ dependencies: { [SDK]: '^1' } }, { chosen: { [CLIENT]: '^2.10.0' } }).added).toEqual({
      [CLIENT]: '^2.10.0',
      [CORE]: '^2.0.0',
    });
    const used = new Set([NODE]);
    expect(edited({ dependencies: { [SDK]: '^1' } }, { used, chosen: { [NODE]: '^2.1.1' } }).added).toEqual({
      [NODE]: '^2.1.1',
    });
  });

  it('keeps a peer that is optional optional, and lists it for development too', () => {
    const edit = edited({
      peerDependencies: { [SDK]: '^1.0.0' },
      peerDependenciesMeta: { [SDK]: { optional: true } },
      devDependencies: { [SDK]: '^1.32.0' },
    });
    expect(edit.json).toEqual({
      peerDependencies: { [CLIENT]: '^2.4.0', [CORE]: '^2.3.1' },
      peerDependenciesMeta: { [CLIENT]: { optional: true }, [CORE]: { optional: true } },
      devDependencies: { [CLIENT]: '^2.4.0', [CORE]: '^2.3.1' },
    });
  });

  it.each(['catalog:', 'catalog:mcp'])('stays with %s and says which entries are missing there', (range) => {
    const workspace = {
      directory: '/',
      members: new Set<string>(),
      catalogs: { [range === 'catalog:' ? 'default' : 'mcp']: { [CORE]: '^2.4.0' } },
      problems: [],
    };
    const edit = edited({ dependencies: { [SDK]: range } }, { workspace });
    expect(edit.json).toEqual({ dependencies: { [CLIENT]: range, [CORE]: range } });
    expect(edit.messages).toEqual([
      {
        level: 'warning',
        message: `the catalog that ${range} means has no ${CLIENT} yet: add it with ^2.4.0`,
      },
    ]);
  });

  it.each([
    ['workspace:*', 'workspace:*'],
    ['workspace:^', 'workspace:^'],
    ['workspace:^1.2.0', 'workspace:^'],
  ])('stays with the workspace: %s', (range, expected) => {
    const edit = edited({ dependencies: { [SDK]: range } });
    expect(edit.added).toEqual({ [CLIENT]: expected, [CORE]: expected });
    expect(said(edit)).toHaveLength(2);
  });

  it('keeps version 1 while something needs it', () => {
    const edit = edited({ dependencies: { [SDK]: '^1.0.0' } }, { neededBy: ['load.cjs'] });
    expect(edit.json).toEqual({
      dependencies: { [CLIENT]: '^2.4.0', [CORE]: '^2.3.1', [SDK]: '^1.0.0' },
    });
    expect(said(edit)).toEqual([`${SDK} stays, since it is still needed by load.cjs`]);
  });

  it('adds what is missing to a package that is on version 2 already', () => {
    const edit = edited({ dependencies: {}, devDependencies: { [CLIENT]: '^2.4.0' } });
    expect(edit.json).toEqual({
      dependencies: {},
      devDependencies: { [CLIENT]: '^2.4.0', [CORE]: '^2.3.1' },
    });
    expect(edit.removed).toBe(false);
  });

  it('takes zod from the official codemod, for tests alone where only they need it', () => {
    const json = { dependencies: { [SDK]: '^1' }, devDependencies: { vitest: '^4.0.0' } };
    const used = new Set([CLIENT]);
    expect(edited(json, { used, chosen: { zod: '^4.2.0' } }).json).toMatchObject({
      dependencies: { [CLIENT]: '^2.4.0', zod: '^4.2.0' },
    });
    expect(edited(json, { used, chosenForTests: { zod: '^4.2.0' } }).json).toMatchObject({
      devDependencies: { vitest: '^4.0.0', zod: '^4.2.0' },
    });
  });

  it('names the fields that pin version 1 and are left', () => {
    const json = {
      dependencies: { [SDK]: '^1' },
      overrides: { [SDK]: '1.2.3' },
      pnpm: { overrides: { [SDK]: '1' } },
    };
    expect(said(edited(json))).toEqual([
      `names ${SDK} under overrides, pnpm.overrides, too: change that by hand`,
    ]);
  });

  it('says what to add where nothing lists the SDK', () => {
    const edit = edited({ name: 'x', dependencies: { express: '^5.0.0' } });
    expect(edit.json).toEqual({ name: 'x', dependencies: { express: '^5.0.0' } });
    expect(said(edit)).toEqual([`lists no ${SDK} to replace: add ${CLIENT}, ${CORE}`]);
  });
});
