/** Tests say how the code was, and change with what they test: sites in them are told and left alone. */
import type { WireModule } from './wire-module.js';
import type { WireSite } from './wire-site.js';
import { isTest } from './server-evidence.js';

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
