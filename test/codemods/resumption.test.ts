// Types that copy the SDK's request options (E3): what makes one a copy, and what is said of it.
import { describe, expect, it } from 'vitest';
import { resumption } from '../../codemods/client/resumption.js';
import { createFacts } from '../../src/analysis/facts.js';
import { resolveRelative } from '../../src/analysis/module-resolution.js';

const SDK = "import { Client } from '@modelcontextprotocol/client';\n";
const OPTIONS = 'interface Options { resumptionToken?: string }\n';

/** `Options certain` for each type that is found. */
function copiesIn(files: Readonly<Record<string, string>>): string[] {
  const known = new Set(Object.keys(files).map((path) => `/w/${path}`));
  const facts = createFacts(
    Object.entries(files).map(([path, text]) => ({ file: `/w/${path}`, path, package: '.', text })),
    (specifier, from) => resolveRelative(specifier, from, (file) => known.has(file)),
  );
  return resumption
    .find(facts)
    .filter(({ shape }) => shape === 'E3')
    .map((site) => {
      const [outcome, other] = (['dual', 'modern'] as const).map((target) =>
        resumption.rewrite(site, facts, target),
      );
      expect(outcome).toEqual(other);
      expect(outcome).toEqual({
        kind: 'reported',
        reason:
          "copies the SDK's request options: a 2026-07-28 connection has no resumption, and over HTTP a request with a token is never sent on one",
      });
      return `${site.group.home.name} ${site.confidence}`;
    });
}

describe('a type copies the request options', () => {
  it.each([
    [
      'if a call on a client is given it',
      'call(client: Client, o?: Options) { client.callTool({}, o); }',
      OPTIONS,
      ['Options certain'],
    ],
    [
      'if it is spread into them',
      'call(client: Client, o: Options) { client.callTool({}, { ...o, timeout: 1 }); }',
      OPTIONS,
      ['Options certain'],
    ],
    [
      'if its token is',
      'call(client: Client, o: Options) { client.callTool({}, { resumptionToken: o.resumptionToken }); }',
      OPTIONS,
      ['Options certain'],
    ],
    [
      'if it has another name of the SDK',
      'call() {}',
      'type Own = { onprogress?: () => void; resumptionToken?: string };\n',
      ['Own likely'],
    ],
    [
      'not by the token alone',
      'call(client: Client, o: Options) { client.callTool({}, {}); o.resumptionToken; }',
      OPTIONS,
      [],
    ],
    ['not as what is asked for', 'call(client: Client, o: Options) { client.callTool(o, {}); }', OPTIONS, []],
    [
      'not on a look-alike',
      'call(client: { callTool(a: {}, o: Options): void }, o: Options) { client.callTool({}, o); }',
      OPTIONS,
      [],
    ],
  ])('%s', (_, method, type, expected) => {
    expect(copiesIn({ 'a.ts': `${SDK}${type}class Caller { ${method} }\n` })).toEqual(expected);
  });

  it('in a file of its own, where the call is elsewhere', () => {
    const files = {
      'a.ts': `${SDK}import type { Options } from './options.js';\nexport const call = (client: Client, o: Options) => client.callTool({}, o);\n`,
      'options.ts': `export ${OPTIONS}`,
    };
    expect(copiesIn(files)).toEqual(['Options certain']);
  });

  it('not where nothing has to do with the SDK', () => {
    expect(copiesIn({ 'a.ts': 'interface Options { onresumptiontoken?: () => void }\n' })).toEqual([]);
  });
});
