/** Names of temporary files, and the removal of those that a run has left which was killed while it wrote. */
import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { errorCode } from './problem.js';

/** A process is known by its number on one machine only, and folders are shared between machines. */
const MACHINE = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

const OURS = new RegExp(`^\\.mcp-listen-${MACHINE}-(?<process>[1-9]\\d*)-[0-9a-f]{16}\\.tmp$`);

/** A name that says which process on which machine will take the file away. */
export function temporaryName(): string {
  return `.mcp-listen-${MACHINE}-${String(process.pid)}-${randomBytes(8).toString('hex')}.tmp`;
}

const tidied = new Set<string>();

/** Removes the temporary files in a folder whose process is gone; looks into each folder once. */
export function removeLeftovers(folder: string): void {
  if (tidied.has(folder)) return;
  tidied.add(folder);
  try {
    for (const name of readdirSync(folder)) {
      const owner = OURS.exec(name)?.groups?.['process'];
      if (owner === undefined || isRunning(Number(owner))) continue;
      const file = join(folder, name);
      if (lstatSync(file).isFile()) rmSync(file, { force: true });
    }
  } catch {
    // Tidying is no reason to fail: what stays is hidden, small and no source.
  }
}

/** A process of somebody else may not be asked, which shows that it is there. */
function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}
