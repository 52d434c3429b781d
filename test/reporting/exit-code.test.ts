import { describe, expect, it } from 'vitest';
import type { RunResult, UpgradeResult } from '../../src/migration/result.js';
import { exitCode } from '../../src/reporting/exit-code.js';
import { runWith, siteWith } from './run-result.js';

const errors = [{ file: 'src/old.ts', message: 'is not UTF-8' }];
const markers = [{ file: 'src/a.ts', line: 1, text: 'TODO(mcp-listen): decide', site: null }];
const refusals = [{ kind: 'version-one' as const, message: 'on version 1', about: ['.'] }];
const nothing = { files: { listed: 4, candidates: 0 } };
const noSource = { files: { listed: 0, candidates: 0 } };

function upgraded(level: 'warning' | 'info', left: string[] = []): UpgradeResult {
  return {
    package: '.',
    files: [],
    manifest: null,
    added: {},
    removed: false,
    left: left.map((text) => ({ file: 'src/a.ts', line: 1, text })),
    messages: [{ file: 'src/a.ts', line: 1, level, message: 'look at it' }],
  };
}

describe.each([
  [
    'scan',
    [
      ['findings', { sites: [siteWith({ outcome: 'marked' })] }, 0],
      ['markers from an earlier run', { markers }, 0],
      ['a package that migrate would refuse', { refusals }, 0],
      ['MCP code without a site', {}, 0],
      ['something that could not be read', { errors }, 1],
      ['something that could not be read and nothing else', { errors, ...nothing }, 1],
      ['no MCP code', nothing, 3],
      ['no source', noSource, 3],
    ],
  ],
  [
    'migrate',
    [
      ['everything rewritten', { sites: [siteWith()] }, 0],
      [
        'what is kept and reported',
        { sites: [siteWith({ outcome: 'kept' }), siteWith({ outcome: 'reported' })] },
        0,
      ],
      ['a marker left', { markers }, 1],
      ['a comment of the official codemod', { upgrades: [upgraded('info', ['left'])] }, 1],
      ['a warning of the official codemod', { upgrades: [upgraded('warning')] }, 1],
      ['a note of the official codemod', { upgrades: [upgraded('info')] }, 0],
      ['a marked site without a marker', { sites: [siteWith({ outcome: 'marked' })] }, 1],
      ['something that could not be read', { errors }, 1],
      ['a refusal, whatever else', { refusals, errors, markers }, 2],
      ['no MCP code', nothing, 3],
      ['no source', noSource, 3],
    ],
  ],
] as [RunResult['command'], [string, Partial<RunResult>, number][]][])(
  'the exit code of %s',
  (command, cases) => {
    it.each(cases)('for %s', (_, parts, expected) => {
      expect(exitCode(runWith({ command, ...parts }))).toBe(expected);
    });

    it.each(cases)('is the same for a dry run: %s', (_, parts, expected) => {
      expect(exitCode(runWith({ command, dryRun: true, ...parts }))).toBe(expected);
    });
  },
);
