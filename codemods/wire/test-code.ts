/** Tests say how the code was, and change with what they test: sites in them are told and left alone. */
import { stringOf, child, list, calleeName } from './tree.js';
import { callsOf, type WireModule } from './wire-module.js';
import type { WireSite } from './wire-site.js';

const RUNNERS = /^(?:node:test|bun:test|vitest|@jest\/globals|mocha|ava|tap|tape|uvu|@playwright\/test)$/;

const KEY = Symbol('test');

function isTest(module: WireModule): boolean {
  return module.remember(KEY, () => {
    if (/\.(?:test|spec)\.[cm]?[jt]sx?$/.test(module.path)) return true;
    const imported = module.of('ImportDeclaration').map((one) => stringOf(child(one, 'source')) ?? '');
    const required = callsOf(module)
      .filter((call) => calleeName(call) === 'require')
      .map((call) => stringOf(list(call, 'arguments')[0]) ?? '');
    return [...imported, ...required].some((name) => RUNNERS.test(name));
  });
}

/** The sites, which nothing is done about where they are part of a test. */
export function sparingTests(module: WireModule, sites: readonly WireSite[]): readonly WireSite[] {
  if (sites.length === 0 || !isTest(module)) return sites;
  return sites.map((site) => ({
    ...site,
    outcome(target) {
      const outcome = site.outcome(target);
      return outcome.kind === 'kept'
        ? outcome
        : { kind: 'reported', reason: 'is part of a test: it changes with what it tests' };
    },
  }));
}
