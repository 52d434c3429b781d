import { describe, expect, test } from 'vitest';
import { createFacts, type Facts } from '../../src/analysis/facts.js';
import { resolveRelative } from '../../src/analysis/module-resolution.js';
import { gatesAround } from '../../src/analysis/registry-gates.js';
import { registriesOf } from '../../src/analysis/subscriber-registries.js';

function factsOf(files: Record<string, string>): Facts {
  const known = new Set(Object.keys(files).map((path) => `/w/${path}`));
  return createFacts(
    Object.entries(files).map(([path, text]) => ({ file: `/w/${path}`, path, package: '.', text })),
    (specifier, from) => resolveRelative(specifier, from, (file) => known.has(file)),
  );
}

const HEAD = `import { McpServer } from '@modelcontextprotocol/server';
const server = new McpServer({ name: 'a', version: '1' });
`;

/** The registries: `uris only`. */
function registries(text: string): string[] {
  const facts = factsOf({ 'a.ts': HEAD + text });
  return facts.servers.flatMap((group) =>
    registriesOf(facts.world, group).map(
      ({ name, filled, isShared }) => `${name} ${filled}${isShared ? ' shared' : ''}`,
    ),
  );
}

const subscribe = (fill: string): string =>
  `server.server.setRequestHandler('resources/subscribe', async (r, ctx) => { ${fill}; return {}; });\n`;

describe('a registry', () => {
  test.each([
    ['set', 'const uris = new Set<string>();', 'uris.add(r.params.uri)'],
    ['map', 'const uris = new Map<string, number>();', 'uris.set(r.params.uri, 1)'],
    ['map of sets', 'const uris = new Map<string, Set<string>>();', 'uris.get(r.params.uri)?.add("x")'],
    [
      'map of sets, through a name',
      'const uris = new Map<string, Set<string>>();',
      'const one = uris.get(r.params.uri) ?? new Set<string>(); one.add("x"); uris.set(r.params.uri, one)',
    ],
    ['array', 'const uris: string[] = [];', 'uris.push(r.params.uri)'],
    ['object', 'const uris: Record<string, boolean> = {};', 'uris[r.params.uri] = true'],
    ['flag', 'let uris = false;', 'uris = true'],
    [
      'what a helper fills',
      'const uris = new Set<string>(); const note = (uri: string) => { uris.add(uri); };',
      'note(r.params.uri)',
    ],
  ])('%s', (_, made, fill) => {
    expect(registries(`${made}\n${subscribe(fill)}`)).toEqual(['uris only']);
  });

  test.each([
    [
      'begins with something in it',
      `const uris = new Set<string>(['a']);\n${subscribe('uris.add(r.params.uri)')}`,
      'others',
    ],
    [
      'is filled elsewhere',
      `const uris = new Set<string>();\n${subscribe('uris.add(r.params.uri)')}export function open() { uris.add('a'); }`,
      'others',
    ],
    [
      'goes out of sight',
      `import { share } from 'elsewhere';\nconst uris = new Set<string>();\n${subscribe('uris.add(r.params.uri)')}share(uris);`,
      'unknown',
    ],
    [
      'is emptied elsewhere',
      `const uris = new Set<string>();\n${subscribe('uris.add(r.params.uri)')}server.server.onclose = () => uris.clear();`,
      'only',
    ],
    [
      'is handed on and filled there',
      `const uris = new Set<string>();\n${subscribe('uris.add(r.params.uri)')}fill(uris);\nfunction fill(all: Set<string>) { all.add('a'); }`,
      'others',
    ],
  ])('that %s', (_, text, filled) => {
    expect(registries(text)).toEqual([`uris ${filled}`]);
  });

  test.each([
    ['to a function', 'take(uris); function take(all: Set<string>) {}', 'uris'],
    ['in an object', 'take({ uris }); function take(all: object) {}', 'uris'],
    ['in a property', 'export const state = { all: uris };', 'uris'],
    ['under another name', 'const other = uris;', 'uris'],
    ['by an export', 'export { uris };', 'uris'],
    ['as a result', 'const all = () => uris; all();', 'uris'],
    ['in a field', 'class A { all?: Set<string>; b() { this.all = uris; } }', 'uris'],
  ])('that is handed on %s: the place counts, whatever becomes of it there', (_, text, expected) => {
    const facts = factsOf({
      'a.ts': `${HEAD}const uris = new Set<string>();\n${subscribe('uris.add(r.params.uri)')}${text}`,
    });
    const uses = facts.servers.flatMap((group) =>
      registriesOf(facts.world, group).flatMap(({ places }) => places.uses),
    );
    expect(uses.filter(({ kind }) => kind === 'hands').map(({ node }) => node.getText())).toEqual([expected]);
  });

  /** Whether sessions share a registry that is made outside of the function that makes their servers. */
  function isShared(made: string, fill: string): boolean[] {
    const facts = factsOf({
      'a.ts': `import { McpServer } from '@modelcontextprotocol/server';
${made}
export function make(session: string) { const server = new McpServer({ name: 'a', version: '1' });\n${subscribe(fill)}return server; }`,
    });
    return facts.servers.flatMap((group) =>
      registriesOf(facts.world, group).map((registry) => registry.isShared),
    );
  }

  test.each([
    ['set', 'const uris = new Set<string>();', 'uris.add(r.params.uri)'],
    ['set, through names', 'const uris = new Set<string>();', 'const { uri } = r.params; uris.add(uri)'],
    [
      'set, through a function',
      'const uris = new Set<string>(); function note(one: string) { uris.add(one); }',
      'note(r.params.uri)',
    ],
    ['set of tidied URIs', 'const uris = new Set<string>();', 'uris.add(new URL(r.params.uri).href)'],
    ['map of flags', 'const uris = new Map<string, boolean>();', 'uris.set(r.params.uri, true)'],
    ['array', 'let uris: string[] = [];', 'uris = [...uris, r.params.uri]'],
    ['flag', 'let uris = false;', 'uris = true'],
  ])('of bare URIs that outlives the servers is shared by their sessions: %s', (_, made, fill) => {
    expect(isShared(made, fill)).toEqual([true]);
  });

  test.each([
    [
      'server to URIs',
      'const uris = new Map<McpServer, Set<string>>();',
      'const own = uris.get(server) ?? new Set<string>(); own.add(r.params.uri); uris.set(server, own)',
    ],
    [
      'URI to servers',
      'const uris = new Map<string, Set<McpServer>>();',
      'const all = uris.get(r.params.uri) ?? new Set<McpServer>(); uris.set(r.params.uri, all.add(server))',
    ],
    [
      'URI to sessions',
      'const uris = new Map<string, Set<string>>();',
      'const all = uris.get(r.params.uri) ?? new Set<string>(); all.add(session); uris.set(r.params.uri, all)',
    ],
    [
      'session to URIs',
      'const uris = new Map<string, Set<string>>();',
      'if (!uris.has(session)) uris.set(session, new Set()); uris.get(session)!.add(r.params.uri)',
    ],
    ['servers', 'const uris = new Set<McpServer>();', 'uris.add(server)'],
    ['session in the text', 'const uris = new Set<string>();', 'uris.add(`${session} ${r.params.uri}`)'],
    [
      'counts',
      'const uris = new Map<string, number>();',
      'uris.set(r.params.uri, (uris.get(r.params.uri) ?? 0) + 1)',
    ],
    ['object by session', 'const uris: Record<string, string> = {};', 'uris[session] = r.params.uri'],
  ])('whose entries tell whose they are is not: %s', (_, made, fill) => {
    expect(isShared(made, fill)).toEqual([false]);
  });
});

describe('a gate', () => {
  /** The gates around the emit: `condition uris.has(uri)`; `!` where a true condition keeps it closed. */
  function gates(code: string): string[] {
    const facts = factsOf({
      'a.ts': `${HEAD}const uris = new Set<string>();\n${subscribe('uris.add(r.params.uri)')}const send = (uri: string) => server.server.sendResourceUpdated({ uri });\nlet ready = true;\n${code}`,
    });
    const [group] = facts.servers;
    const emit = group?.members.find(
      ({ member, access }) =>
        member === 'sendResourceUpdated' &&
        !access.parent.parent.parent.parent.getText().includes('const send'),
    );
    return group === undefined || emit === undefined
      ? []
      : gatesAround(facts.world, group, emit.access).map(
          ({ kind, condition, opensWhen }) => `${kind} ${opensWhen ? '' : '!'}${condition.getText()}`,
        );
  }
  const EMIT = 'server.server.sendResourceUpdated({ uri })';

  test.each([
    ['an if', `function f(uri: string) { if (uris.has(uri)) ${EMIT}; }`, 'condition uris.has(uri)'],
    [
      'an else',
      `function f(uri: string) { if (!uris.has(uri)) return; else ${EMIT}; }`,
      'condition uris.has(uri)',
    ],
    ['an exit', `function f(uri: string) { if (!uris.has(uri)) return; ${EMIT}; }`, 'exit uris.has(uri)'],
    ['and', `function f(uri: string) { uris.has(uri) && ${EMIT}; }`, 'condition uris.has(uri)'],
    ['a part', `function f(uri: string) { if (ready && uris.has(uri)) ${EMIT}; }`, 'condition uris.has(uri)'],
    [
      'a choice',
      `const f = (uri: string) => (uris.has(uri) ? ${EMIT} : undefined);`,
      'condition uris.has(uri)',
    ],
    ['a count', `function f(uri: string) { if (uris.size > 0) ${EMIT}; }`, 'condition uris.size > 0'],
    [
      'no count',
      `function f(uri: string) { if (uris.size === 0) return; ${EMIT}; }`,
      'exit !uris.size === 0',
    ],
    ['a name', `function f(uri: string) { const on = uris.has(uri); if (on) ${EMIT}; }`, 'condition on'],
    [
      'a name for no',
      `function f(uri: string) { const off = !uris.has(uri); if (off) return; ${EMIT}; }`,
      'exit !off',
    ],
    [
      'a function',
      `const on = (uri: string) => uris.has(uri);\nfunction f(uri: string) { if (on(uri)) ${EMIT}; }`,
      'condition on(uri)',
    ],
    ['a loop', `function f() { for (const uri of uris) ${EMIT}; }`, 'loop uris'],
    ['forEach', `function f() { uris.forEach((uri) => ${EMIT}); }`, 'loop uris'],
    [
      'the caller',
      `function f(uri: string) { ${EMIT}; }\nfunction g() { if (uris.has('a')) f('a'); }`,
      "condition uris.has('a')",
    ],
  ])('by %s', (_, code, expected) => {
    expect(gates(code)).toEqual([expected]);
  });

  test.each([
    [
      'the era opens, too',
      `declare const ctx: any; function f(uri: string) { if (ctx.era === 'modern' || uris.has(uri)) ${EMIT}; }`,
    ],
    ['is the other way round', `function f(uri: string) { if (!uris.has(uri)) ${EMIT}; }`],
    ['something else opens, too', `function f(uri: string) { if (ready || uris.has(uri)) ${EMIT}; }`],
    ['asks something else', `function f(uri: string) { if (ready) ${EMIT}; }`],
  ])('is none that %s', (_, code) => {
    expect(gates(code)).toEqual([]);
  });
});
