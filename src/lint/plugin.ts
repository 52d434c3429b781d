/** The plugin that goes with this version, and the pages of its rules: built into this package. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ESLint, Linter } from 'eslint';
import { type Preset, RULE_NAMES, type RuleName } from '../protocol/index.js';

/** The plugin as ESLint takes it. */
export type Plugin = ESLint.Plugin & { readonly configs: Readonly<Record<Preset, Linter.Config>> };

/** Beside the built program, or in the workspace while this project is worked on. */
const PLACES = [
  { plugin: '../../eslint-plugin/index.js', pages: '../../eslint-plugin/docs/rules/' },
  { plugin: '../../eslint-plugin/dist/index.js', pages: '../../eslint-plugin/docs/rules/' },
] as const;

/** Loads the plugin. */
export async function loadPlugin(): Promise<Plugin> {
  const place = PLACES.map(({ plugin }) => fileURLToPath(new URL(plugin, import.meta.url))).find(existsSync);
  if (place === undefined) throw new Error('the plugin is not built: npm run build');
  return ((await import(pathToFileURL(place).href)) as { default: Plugin }).default;
}

/** The page of a rule, as Markdown. */
export function readPage(rule: RuleName): string {
  return readFileSync(new URL(`${PLACES[0].pages}${rule}.md`, import.meta.url), 'utf8');
}

/** The rule that a person means: its name, with or without the plugin's. */
export function ruleNamed(name: string): RuleName | undefined {
  const bare = name.replace(/^mcp-listen\//, '');
  return RULE_NAMES.find((rule) => rule === bare);
}
