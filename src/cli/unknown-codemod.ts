/** Names of codemods on the command line, checked against those that exist. */

/** A message about the first name that is no codemod; undefined where all are. */
export async function unknownCodemod(names: readonly string[]): Promise<string | undefined> {
  if (names.length === 0) return undefined;
  const { codemods } = await import('../../codemods/index.js');
  const known = codemods.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  const meant = closest(unknown, known);
  const suggestion = meant === undefined ? '' : `\n(Did you mean ${meant}?)`;
  return `unknown codemod '${unknown}' for option '--only <codemods>': there are ${known.join(', ')}${suggestion}`;
}

/** The name that was probably meant: the same without its folder, or nearly the same. */
function closest(name: string, known: readonly string[]): string | undefined {
  const distances = known.map((candidate) => ({
    candidate,
    distance: Math.min(distance(name, candidate), distance(name, candidate.replace(/^.*\//, ''))),
  }));
  const [best] = distances.sort((a, b) => a.distance - b.distance);
  return best !== undefined && best.distance <= name.length / 3 ? best.candidate : undefined;
}

/** How many letters have to be added, removed or replaced (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
