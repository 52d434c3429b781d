/** Runs written by hand: the least that a report can be made of, and what a test says on top. */
import type { RunResult, SiteResult } from '../../src/migration/result.js';
import type { PackageInfo } from '../../src/workspace/packages.js';

/** A run that found nothing, in /project. */
export function runWith(parts: Partial<RunResult> = {}): RunResult {
  return {
    command: 'scan',
    root: '/project',
    repository: undefined,
    target: 'dual',
    dryRun: false,
    files: { listed: 3, candidates: 1 },
    packages: [],
    sites: [],
    markers: [],
    errors: [],
    refusals: [],
    notes: [],
    notLookedInto: [],
    changes: [],
    verification: { packages: [] },
    owners: [],
    ...parts,
  };
}

/** A subscribe call that is rewritten. */
export function siteWith(parts: Partial<SiteResult> = {}): SiteResult {
  return {
    id: 'abc123',
    package: '.',
    file: 'src/watch.ts',
    line: 12,
    column: 3,
    endLine: 12,
    endColumn: 41,
    side: 'client',
    shape: 'A2',
    mechanism: 'resource-subscribe',
    group: 'src/watch.ts#client',
    confidence: 'certain',
    outcome: 'rewritten',
    reason: 'through the managed change stream',
    rule: 'no-resource-subscribe',
    codemod: 'client/subscribe-calls',
    ...parts,
  };
}

/** An npm package in /project with the SDK's client installed, tests, and no formatter. */
export function ownerWith(parts: Partial<PackageInfo> = {}): PackageInfo {
  return {
    path: '.',
    directory: '/project',
    name: 'watcher',
    moduleType: 'esm',
    generation: 'v2',
    sdk: { '@modelcontextprotocol/client': '2.4.0' },
    installed: { '@modelcontextprotocol/client': true },
    dependencyFields: { '@modelcontextprotocol/client': ['dependencies'] },
    sdkManifest: '/project/package.json',
    packageManager: 'npm',
    manifest: '/project/package.json',
    scripts: { test: 'vitest run' },
    devDependencies: [],
    workspace: undefined,
    ...parts,
  };
}

/** The text's lines without the indentation of the test around them. */
export function lines(text: TemplateStringsArray): string {
  const [raw = ''] = text.raw;
  const all = raw.replace(/^\n/, '').split('\n');
  const indent = /^ */.exec(all.find((line) => line.trim() !== '') ?? '')?.[0] ?? '';
  return all
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()))
    .join('\n');
}
