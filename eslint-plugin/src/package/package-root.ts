/** The folder of the package that a file belongs to. */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

const roots = new Map<string, string | undefined>();

/** The nearest folder upwards with a package.json; undefined for a text without a file, such as standard input. */
export function packageRoot(filename: string): string | undefined {
  return isAbsolute(filename) ? rootOf(dirname(filename)) : undefined;
}

function rootOf(folder: string): string | undefined {
  if (roots.has(folder)) return roots.get(folder);
  const above = dirname(folder);
  const root = existsSync(join(folder, 'package.json'))
    ? folder
    : above === folder
      ? undefined
      : rootOf(above);
  roots.set(folder, root);
  return root;
}
