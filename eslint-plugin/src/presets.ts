/** The configurations: which rules they turn on, and how strictly. */
import type { Linter } from 'eslint';
import type { Preset } from '../../src/protocol/index.js';
import type { Rule } from './rule.js';

/** What a configuration makes of the rules. */
export function presetRules(preset: Preset, rules: readonly Rule[]): Linter.RulesRecord {
  const entries = rules.flatMap(({ name, meta }): [string, Linter.RuleEntry][] => {
    const { docs } = meta;
    const key = `mcp-listen/${name}`;
    switch (preset) {
      case 'recommended':
        return docs?.recommended === undefined ? [] : [[key, docs.recommended]];
      case 'strict':
        return [[key, docs?.strict === undefined ? 'error' : ['error', docs.strict]]];
      case 'migration':
        return docs?.migration === true ? [[key, ['error', ...migrationOptions(meta)]]] : [];
    }
  });
  return Object.fromEntries(entries);
}

/** Rules of `migration` report legacy code that is right as long as nobody opts in. */
function migrationOptions({ defaultOptions }: Rule['meta']): [object] | [] {
  const [defaults] = defaultOptions ?? [];
  return typeof defaults === 'object' && defaults !== null && 'includeLegacy' in defaults
    ? [{ includeLegacy: true }]
    : [];
}
