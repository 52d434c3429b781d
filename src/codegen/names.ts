/** Names for new bindings. */

/**
 * The first of the preferred names that a file does not use yet, then the last one with a number.
 *
 * @param isTaken whether a name occurs anywhere in the file; one that occurs in another scope counts as taken, so that a
 *   new binding can neither shadow nor be shadowed
 */
export function freeName(
  preferred: readonly [string, ...string[]],
  isTaken: (name: string) => boolean,
): string {
  const free = preferred.find((name) => !isTaken(name));
  if (free !== undefined) return free;
  const base = preferred[preferred.length - 1] ?? preferred[0];
  let number = 2;
  while (isTaken(base + String(number))) number += 1;
  return base + String(number);
}
