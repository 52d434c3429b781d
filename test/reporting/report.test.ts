import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Confidence } from '../../src/analysis/site.js';
import type { Target } from '../../src/codegen/negotiation.js';
import type { SiteOutcome } from '../../src/migration/result.js';
import { MECHANISMS, RULE_NAMES, SHAPES } from '../../src/protocol/index.js';
import { toJson } from '../../src/reporting/json.js';
import schema from '../../src/reporting/report.schema.json' with { type: 'json' };
import { REPORT_VERSION, toReport } from '../../src/reporting/report.js';
import type { Generation } from '../../src/workspace/packages.js';
import { ownerWith, runWith, siteWith } from './run-result.js';

const validate = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true }).compile(schema);

/** What is wrong with a report, by the schema. */
function faults(report: unknown): string[] {
  validate(report);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}

const full = runWith({
  command: 'migrate',
  target: 'modern',
  files: { listed: 9, candidates: 4 },
  packages: [
    { path: '.', name: 'watcher', generation: 'v2', sdk: { '@modelcontextprotocol/client': '2.4.0' } },
  ],
  sites: [
    siteWith({ era: 'none', shape: 'ERA', mechanism: 'era', rule: 'require-modern-era' }),
    siteWith({ outcome: 'marked', confidence: 'likely', shape: 'A9', rule: null }),
    siteWith({ outcome: 'marked', group: 'src/other.ts#client' }),
    siteWith({ outcome: 'kept', shape: 'LEGACY_CALL', mechanism: 'legacy-call' }),
  ],
  markers: [
    { file: 'src/watch.ts', line: 12, text: 'TODO(mcp-listen): decide (A9)', site: 'abc123' },
    { file: 'src/watch.ts', line: 40, text: 'TODO(mcp-listen): decide (A9)', site: null },
  ],
  errors: [{ file: 'src/old.ts', message: 'is not UTF-8' }],
  refusals: [{ kind: 'version-one', message: 'on version 1', about: ['packages/a', 'packages/b'] }],
  notes: [{ kind: 'link', level: 'warning', file: '/project/link', message: 'a link' }],
  notLookedInto: ['src/App.vue'],
  changes: [{ file: '/project/src/watch.ts', path: 'src/watch.ts', before: 'a', after: 'b' }],
  owners: [ownerWith()],
});

describe('the JSON report', () => {
  it('is valid by its schema, empty or full', () => {
    expect(faults(JSON.parse(toJson(runWith())))).toEqual([]);
    expect(faults(JSON.parse(toJson(full)))).toEqual([]);
  });

  it('has the fields of version 1 and no others', () => {
    const report = JSON.parse(toJson(full)) as ReturnType<typeof toReport>;
    expect(Object.keys(report)).toEqual([
      'version',
      'target',
      'packages',
      'sites',
      'markers',
      'errors',
      'summary',
    ]);
    expect(report.version).toBe(1);
    expect(report.target).toBe('modern');
    expect(report.sites[0]).toEqual({
      id: 'abc123',
      package: '.',
      file: 'src/watch.ts',
      line: 12,
      column: 3,
      endLine: 12,
      endColumn: 41,
      side: 'client',
      shape: 'ERA',
      mechanism: 'era',
      group: 'src/watch.ts#client',
      confidence: 'certain',
      outcome: 'rewritten',
      reason: 'through the managed change stream',
      rule: 'require-modern-era',
    });
  });

  it('counts so that the counts add up', () => {
    const { summary, sites, errors, markers } = toReport(full);
    const sum = (counts: object) =>
      Object.values(counts).reduce((total: number, each: number) => total + each, 0);
    expect(summary.byOutcome).toEqual({ rewritten: 1, marked: 2, kept: 1, reported: 0 });
    expect(summary.byMechanism).toMatchObject({
      era: 1,
      'resource-subscribe': 2,
      'legacy-call': 1,
      publish: 0,
    });
    expect(sum(summary.byOutcome)).toBe(sites.length);
    expect(sum(summary.byMechanism)).toBe(sites.length);
    expect(summary).toMatchObject({
      sites: 4,
      packages: 1,
      groups: 2,
      markers: markers.length,
      errors: errors.length,
      files: { listed: 9, candidates: 4, changed: 1, notLookedInto: 1 },
    });
  });

  it('says a refusal among the errors, for each package that it is about', () => {
    expect(toReport(full).errors).toEqual([
      { file: 'src/old.ts', message: 'is not UTF-8' },
      { file: 'packages/a', message: 'refused: on version 1' },
      { file: 'packages/b', message: 'refused: on version 1' },
    ]);
  });
});

describe('the schema of the report', () => {
  const { site, package: owner, summary } = schema.$defs;

  it('has the dependencies of rewritten code where some were added', () => {
    const node = { '@modelcontextprotocol/node': '^2.1.2' };
    const dependencies = [
      { package: '.', manifest: 'package.json', added: node, messages: [] },
      { package: 'b', manifest: null, added: node, messages: ['the catalog lacks it'] },
    ];
    const report = JSON.parse(toJson({ ...full, dependencies })) as ReturnType<typeof toReport>;
    expect(faults(report)).toEqual([]);
    expect(report.dependencies).toEqual(dependencies);
  });

  it('lists the shapes, mechanisms and rules of the protocol tables', () => {
    expect(site.properties.shape.enum).toEqual(SHAPES.map(({ id }) => id));
    expect(site.properties.mechanism.enum).toEqual(MECHANISMS);
    expect(site.properties.rule.enum).toEqual([...RULE_NAMES, null]);
    expect(Object.keys(summary.properties.byMechanism.properties)).toEqual(MECHANISMS);
  });

  it('lists what the code has as types', () => {
    // The compiler refuses a table here that misses a member or has one too many.
    const outcomes = { rewritten: 1, marked: 1, kept: 1, reported: 1 } satisfies Record<SiteOutcome, 1>;
    const confidences = { certain: 1, likely: 1, review: 1 } satisfies Record<Confidence, 1>;
    const generations = { v1: 1, v2: 1, 'v1+v2': 1, wire: 1, none: 1 } satisfies Record<Generation, 1>;
    const targets = { dual: 1, modern: 1 } satisfies Record<Target, 1>;
    expect(site.properties.outcome.enum).toEqual(Object.keys(outcomes));
    expect(Object.keys(summary.properties.byOutcome.properties)).toEqual(Object.keys(outcomes));
    expect(site.properties.confidence.enum).toEqual(Object.keys(confidences));
    expect(owner.properties.generation.enum).toEqual(Object.keys(generations));
    expect(schema.properties.target.enum).toEqual(Object.keys(targets));
    expect(schema.properties.version.const).toBe(REPORT_VERSION);
  });

  it('describes an upgrade of the SDK, which is there only when one was asked for', () => {
    const upgrades = [
      {
        package: 'packages/old',
        files: ['packages/old/a.ts'],
        manifest: 'packages/old/package.json',
        added: { '@modelcontextprotocol/client': '^2.4.0' },
        removed: true,
        left: [{ file: 'packages/old/a.ts', line: 3, text: 'Refactor by hand.' }],
        messages: [
          { file: 'packages/old/a.ts', line: 1, level: 'warning' as const, message: 'Removed in v2.' },
          { file: 'packages/old/package.json', line: null, level: 'info' as const, message: 'mind zod' },
        ],
      },
    ];
    const report = toReport({ ...full, upgrades });
    expect(report.upgrades).toEqual(upgrades);
    expect(faults(JSON.parse(JSON.stringify(report)))).toEqual([]);
    expect(faults({ ...report, upgrades: [{ ...upgrades[0], manifest: 1 }] })).toEqual([
      '/upgrades/0/manifest must be string,null',
    ]);
  });

  it('refuses what is not in it', () => {
    const report = toReport(full);
    expect(faults({ ...report, more: 1 })).toEqual([' must NOT have additional properties']);
    expect(faults({ ...report, sites: [{ ...report.sites[0], line: 0 }] })).toEqual([
      '/sites/0/line must be >= 1',
    ]);
    expect(faults({ ...report, sites: [{ ...report.sites[0], shape: 'Z9' }] })).toEqual([
      '/sites/0/shape must be equal to one of the allowed values',
    ]);
  });

  it('describes every field', () => {
    const undescribed: string[] = [];
    const visit = (node: object, path: string): void => {
      if ('properties' in node) {
        for (const [name, property] of Object.entries(node.properties as object) as [string, object][]) {
          const where = `${path}/${name}`;
          // What the keys of the two tables mean is described where they are values.
          const explained =
            'description' in property || '$ref' in property || /\/by(Outcome|Mechanism)\//.test(where);
          if (!explained) undescribed.push(where);
          visit(property, where);
        }
      }
    };
    visit(schema, '');
    for (const [name, definition] of Object.entries(schema.$defs)) visit(definition, name);
    expect(undescribed).toEqual([]);
  });
});
