/** The text of questions for the era. */
import { quoted, type FileStyle } from './file-style.js';

/**
 * `ctx.era === 'modern' || subscribed.has(uri)`
 *
 * @param era the expression of the era, as written
 * @param otherwise what holds for legacy connections, as written
 */
export function modernOr(era: string, otherwise: string, style: FileStyle): string {
  return `${era} === ${quoted('modern', style)} || ${otherwise}`;
}

/**
 * `ctx.era === 'legacy' && !isSubscribed`: the same for a condition that holds where nobody has subscribed.
 *
 * @param era the expression of the era, as written
 * @param condition what is asked on legacy connections alone, as written
 */
export function legacyAnd(era: string, condition: string, style: FileStyle): string {
  return `${era} === ${quoted('legacy', style)} && ${condition}`;
}
