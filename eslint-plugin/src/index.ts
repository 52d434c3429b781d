// The plugin. A default export and nothing else: a named one beside it would break `require()`.
import type { ESLint } from 'eslint';
import packageJson from '../package.json' with { type: 'json' };

const plugin = {
  meta: { name: packageJson.name, version: packageJson.version, namespace: 'mcp-listen' },
  rules: {},
  configs: {},
} satisfies ESLint.Plugin;

export default plugin;
