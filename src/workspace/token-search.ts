/**
 * Many tokens, one pass over the bytes (Wu and Manber's table over pairs of bytes).
 */

/** Whether one of the tokens occurs in the bytes. */
export type TokenSearch = (bytes: Buffer) => boolean;

/**
 * Prepares the search. The shortest token sets the stride, so tokens of three characters and fewer make it
 * several times slower; one of a single character is a fault of the caller.
 */
export function tokenSearch(tokens: readonly string[]): TokenSearch {
  const needles = tokens.map((token) => Buffer.from(token, 'utf8'));
  const window = Math.min(...needles.map((needle) => needle.length));
  if (window < 2) throw new RangeError('a token needs at least two characters');
  const { skip, endingIn } = pairTables(needles, window);

  return (bytes) => {
    let end = window - 1;
    while (end < bytes.length) {
      // Runs some ten million times in a large repository. A closure over a name of this block would double its time.
      const pair = ((bytes[end - 1] ?? 0) << 8) | (bytes[end] ?? 0);
      const stride = skip[pair] ?? 0;
      if (stride === 0 && anyOccursAt(bytes, end - window + 1, endingIn.get(pair))) return true;
      end += stride || 1;
    }
    return false;
  };
}

/** How far each pair of bytes allows the window to move, and the needles whose window ends in it. */
function pairTables(needles: readonly Buffer[], window: number) {
  const skip = new Uint8Array(0x10000).fill(Math.min(window - 1, 0xff));
  const endingIn = new Map<number, Buffer[]>();
  for (const needle of needles) {
    for (let end = 1; end < window; end++) {
      const pair = pairAt(needle, end);
      skip[pair] = Math.min(skip[pair] ?? 0, window - 1 - end);
    }
    const last = pairAt(needle, window - 1);
    endingIn.set(last, [...(endingIn.get(last) ?? []), needle]);
  }
  return { skip, endingIn };
}

function pairAt(bytes: Buffer, end: number): number {
  return ((bytes[end - 1] ?? 0) << 8) | (bytes[end] ?? 0);
}

function anyOccursAt(bytes: Buffer, start: number, needles: readonly Buffer[] = []): boolean {
  for (const needle of needles) {
    let length = 0;
    while (length < needle.length && bytes[start + length] === needle[length]) length++;
    if (length === needle.length) return true;
  }
  return false;
}
