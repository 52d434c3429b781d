/** `settings['mcp-listen']`: what a rule cannot see in the code. */
import type { JSONSchema4 } from '@typescript-eslint/utils/json-schema';

/** The settings that all rules share. */
export interface Settings {
  /** What the code base speaks: both eras, or the modern one alone. */
  readonly target: 'dual' | 'modern';
  /** Whether several instances of a server run side by side. */
  readonly multiInstance: boolean;
  /** Names of modules or classes whose methods stand for those of an SDK client. */
  readonly wrappers: readonly string[];
  /** Whether facts are sought in the other files of a package. */
  readonly packageIndex: boolean;
}

/** The key in a configuration's `settings`. */
export const SETTINGS_KEY = 'mcp-listen';

const DEFAULTS: Settings = { target: 'dual', multiInstance: false, wrappers: [], packageIndex: true };

/** The form of the settings, for editors and for our own check. */
export const settingsSchema: JSONSchema4 = {
  type: 'object',
  properties: {
    target: { type: 'string', enum: ['dual', 'modern'], default: DEFAULTS.target },
    multiInstance: { type: 'boolean', default: DEFAULTS.multiInstance },
    wrappers: { type: 'array', items: { type: 'string' }, uniqueItems: true, default: [] },
    packageIndex: { type: 'boolean', default: DEFAULTS.packageIndex },
  },
  additionalProperties: false,
};

/**
 * Reads the settings of a configuration.
 *
 * @throws TypeError that names the setting which is none of ours, or has a value of another kind
 */
export function readSettings(all: Readonly<Record<string, unknown>>): Settings {
  const given = all[SETTINGS_KEY];
  if (given === undefined) return DEFAULTS;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw wrong('', 'an object');
  const { target, multiInstance, wrappers, packageIndex, ...others } = given as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw wrong(`.${unknown}`, `one of ${Object.keys(DEFAULTS).join(', ')}`);
  if (target !== undefined && target !== 'dual' && target !== 'modern')
    throw wrong('.target', `'dual' or 'modern'`);
  if (multiInstance !== undefined && typeof multiInstance !== 'boolean')
    throw wrong('.multiInstance', 'true or false');
  if (packageIndex !== undefined && typeof packageIndex !== 'boolean')
    throw wrong('.packageIndex', 'true or false');
  if (wrappers !== undefined && !isStrings(wrappers)) throw wrong('.wrappers', 'a list of names');
  return {
    target: target ?? DEFAULTS.target,
    multiInstance: multiInstance ?? DEFAULTS.multiInstance,
    wrappers: wrappers ?? DEFAULTS.wrappers,
    packageIndex: packageIndex ?? DEFAULTS.packageIndex,
  };
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function wrong(path: string, expected: string): TypeError {
  return new TypeError(`settings['${SETTINGS_KEY}']${path} must be ${expected}`);
}
