/** Names of codemods on the command line, checked against those that exist. */
import { closestName } from './closest-name.js';

/** A message about the first name that is no codemod; undefined where all are. */
export async function unknownCodemod(names: readonly string[]): Promise<string | undefined> {
  if (names.length === 0) return undefined;
  const { codemods } = await import('../../codemods/index.js');
  const known = codemods.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  const meant = closestName(unknown, known);
  const suggestion = meant === undefined ? '' : `\n(Did you mean ${meant}?)`;
  return `unknown codemod '${unknown}' for option '--only <codemods>': there are ${known.join(', ')}${suggestion}`;
}
