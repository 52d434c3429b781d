/**
 * Which files count as source, by name alone.
 */

/** What a file's name says about it. */
export type FileKind = 'source' | 'declaration' | 'single-file-component' | 'other';

const SCRIPT = /\.[cm]?[jt]sx?$/;
/** `a.d.ts`, `a.d.mts`, `a.d.cts`, and TypeScript's `a.d.css.ts`. */
const DECLARATION = /\.d\.(?:[^./]+\.)?[cm]?ts$/;
const SINGLE_FILE_COMPONENT = /\.(?:vue|svelte|astro)$/;

/** Sorts a file by its name. */
export function fileKind(path: string): FileKind {
  if (SCRIPT.test(path)) return DECLARATION.test(path) ? 'declaration' : 'source';
  return SINGLE_FILE_COMPONENT.test(path) ? 'single-file-component' : 'other';
}
