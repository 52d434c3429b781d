/** The headers of a request written by hand. Their names are compared without case. */
import type { Node, SourceCode } from '../ast.js';
import { stringOf } from './values.js';
import { entryOf, plainObject } from './wire-values.js';
import type { Post } from './wire-requests.js';

/** A header: its text, null where the request certainly has none, undefined where it cannot be read. */
export type HeaderValue = string | null | undefined;

/** Reads the headers of a `fetch`; undefined where they come from elsewhere. */
export function headersOf(
  sourceCode: SourceCode,
  { options }: Post,
): ((name: string) => HeaderValue) | undefined {
  const given = entryOf(sourceCode, options, 'headers');
  if (given === 'unknown') return undefined;
  if (given === undefined) return () => null;
  const literal = plainObject(sourceCode, given.type === 'NewExpression' ? given.arguments[0] : given);
  if (literal === undefined) return undefined;
  return (name) => {
    const value: Node | 'unknown' | undefined = entryOf(
      sourceCode,
      literal,
      name,
      (key, wanted) => key.toLowerCase() === wanted.toLowerCase(),
    );
    if (value === undefined) return null;
    return value === 'unknown' ? undefined : stringOf(sourceCode, value);
  };
}
