/** Which version of an SDK package a file's package has: the installed one, else the lowest that its range allows. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { V1_PACKAGE, V2_PACKAGES } from '../../../src/protocol/index.js';
import { packageRoot } from './package-root.js';

/** A version, and how it is known. */
export interface SdkVersion {
  readonly text: string;
  readonly major: number;
  readonly minor: number;
  /** `installed` in node_modules, or `declared` by a range. */
  readonly how: 'installed' | 'declared';
}

/** The version of a package that a file would import; undefined where neither an installation nor a range tells. */
export function sdkVersion(filename: string, name: string): SdkVersion | undefined {
  const root = packageRoot(filename);
  if (root === undefined) return undefined;
  for (let folder = root; ; folder = dirname(folder)) {
    const installed = readJson(join(folder, 'node_modules', name, 'package.json'));
    const version = parse(installed?.['version'], 'installed');
    if (version !== undefined) return version;
    if (dirname(folder) === folder) break;
  }
  const manifest = readJson(join(root, 'package.json'));
  for (const field of ['dependencies', 'devDependencies', 'peerDependencies']) {
    const ranges = manifest?.[field];
    if (typeof ranges !== 'object' || ranges === null) continue;
    const version = parse((ranges as Record<string, unknown>)[name], 'declared');
    if (version !== undefined) return version;
  }
  return undefined;
}

/** Whether a package has version 1 of the SDK and nothing of version 2: then nothing in it speaks the modern era. */
export function speaksVersionOneAlone(filename: string): boolean {
  return (
    sdkVersion(filename, V1_PACKAGE) !== undefined &&
    V2_PACKAGES.every((name) => sdkVersion(filename, name) === undefined)
  );
}

/** Whether a version is at least `major.minor`; an unknown version is taken for the newest. */
export function isAtLeast(version: SdkVersion | undefined, major: number, minor: number): boolean {
  return (
    version === undefined || version.major > major || (version.major === major && version.minor >= minor)
  );
}

/** The version as a message names it. */
export function describeVersion(name: string, version: SdkVersion | undefined): string {
  if (version === undefined) return `${name} of an unknown version, taken for the newest`;
  return version.how === 'installed' ? `${name} ${version.text}` : `${name} ${version.text} by its range`;
}

function parse(text: unknown, how: SdkVersion['how']): SdkVersion | undefined {
  const match = typeof text === 'string' ? /(\d+)\.(\d+)(?:\.\d+)?/.exec(text) : null;
  return match === null
    ? undefined
    : { text: match[0], major: Number(match[1]), minor: Number(match[2]), how };
}

const manifests = new Map<
  string,
  { readonly time: number; readonly json: Record<string, unknown> | undefined }
>();

/** A manifest, read again once it has changed: an editor keeps this process for days. */
function readJson(file: string): Record<string, unknown> | undefined {
  if (!existsSync(file)) return undefined;
  const time = statSync(file).mtimeMs;
  const known = manifests.get(file);
  if (known?.time === time) return known.json;
  const json = parseJson(file);
  manifests.set(file, { time, json });
  return json;
}

function parseJson(file: string): Record<string, unknown> | undefined {
  try {
    const json: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // a manifest that cannot be read says nothing
  }
}
