// The plugin. A default export and nothing else: a named one beside it would break `require()`.
import type { ESLint, Linter } from 'eslint';
import packageJson from '../package.json' with { type: 'json' };
import { PRESETS, presetRules, type Preset } from './presets.js';
import { rules } from './rules/index.js';

const NAMESPACE = 'mcp-listen';

const plugin = {
  meta: { name: packageJson.name, version: packageJson.version, namespace: NAMESPACE },
  rules: Object.fromEntries(rules.map((rule) => [rule.name, rule])) as unknown as NonNullable<
    ESLint.Plugin['rules']
  >,
  configs: {} as Record<Preset, Linter.Config>,
};

// A configuration holds the plugin that it belongs to, so it can only be made once that is there.
for (const preset of PRESETS) {
  plugin.configs[preset] = {
    name: `${NAMESPACE}/${preset}`,
    plugins: { [NAMESPACE]: plugin },
    rules: presetRules(preset, rules),
  };
}

export default plugin;
