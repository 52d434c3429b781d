/** The version of this package, from its own package.json. */
import { createRequire } from 'node:module';

/** Finds it by the package's name: the built and the source module lie at different depths. */
export function readVersion(): string {
  const { version } = createRequire(import.meta.url)('mcp-listen/package.json') as { version: string };
  return version;
}
