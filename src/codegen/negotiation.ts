/** The text by which a client opts in to the modern era. */
import { CLIENT_OPTION, MODERN_REVISION } from '../protocol/index.js';
import { quoted, type FileStyle } from './file-style.js';

/** Both eras, or the modern one alone. */
export type Target = 'dual' | 'modern';

/** `'auto'`, or `{ pin: '2026-07-28' }`. */
export function negotiationMode(target: Target, style: FileStyle): string {
  return target === 'dual'
    ? quoted(CLIENT_OPTION.auto, style)
    : `{ ${CLIENT_OPTION.pin}: ${quoted(MODERN_REVISION, style)} }`;
}

/** `versionNegotiation: { mode: 'auto' }` */
export function negotiationProperty(target: Target, style: FileStyle): string {
  return `${CLIENT_OPTION.versionNegotiation}: { ${CLIENT_OPTION.mode}: ${negotiationMode(target, style)} }`;
}
