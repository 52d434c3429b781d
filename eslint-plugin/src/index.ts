// The plugin. A default export and nothing else: a named one beside it would break `require()`.
import type { ESLint, Linter } from 'eslint';
import packageJson from '../package.json' with { type: 'json' };
import { PRESETS, type Preset } from '../../src/protocol/rules.js';
import { presetRules } from './presets.js';
import { rules } from './rules/index.js';

const NAMESPACE = 'mcp-listen';

/** The plugin's type, by ESLint's own types alone: the declarations need no other package. */
interface McpListenPlugin extends ESLint.Plugin {
  readonly meta: { readonly name: string; readonly version: string; readonly namespace: string };
  readonly rules: NonNullable<ESLint.Plugin['rules']>;
  readonly configs: Record<Preset, Linter.Config>;
}

const plugin: McpListenPlugin = {
  meta: { name: packageJson.name, version: packageJson.version, namespace: NAMESPACE },
  rules: Object.fromEntries(rules.map((rule) => [rule.name, rule])) as unknown as McpListenPlugin['rules'],
  configs: {} as McpListenPlugin['configs'],
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
