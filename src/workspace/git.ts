/**
 * Running git: never with a list of files on the command line, never through a shell.
 */
import { spawn } from 'node:child_process';

/** Why git gave no answer: it is not installed, or it refused. */
export interface GitFailure {
  readonly failure: 'not-installed' | 'refused';
  /** What git said, one line. */
  readonly message: string;
}

/**
 * Set by git around hooks. They would make git answer about the repository of the hook
 * instead of the one that holds the folder.
 */
const HOOK_VARIABLES = new Set([
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_PREFIX',
  'GIT_COMMON_DIR',
]);

/** What git printed, and what it complained about although it did its work. */
export interface GitAnswer {
  readonly printed: Buffer;
  readonly complaints: string;
}

/** Runs git in `folder` and gives what it printed. */
export async function git(
  folder: string,
  parameters: readonly string[],
  input?: string,
): Promise<Buffer | GitFailure> {
  const answer = await askGit(folder, parameters, input);
  return isGitFailure(answer) ? answer : answer.printed;
}

/** Runs git in `folder`. */
export function askGit(
  folder: string,
  parameters: readonly string[],
  input?: string,
): Promise<GitAnswer | GitFailure> {
  return new Promise((resolve) => {
    const child = spawn('git', parameters, { cwd: folder, env: gitEnvironment(), windowsHide: true });
    const printed: Buffer[] = [];
    const complaints: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk));
    child.on('error', (error) => resolve({ failure: 'not-installed', message: error.message }));
    child.on('close', (code) => {
      const complained = Buffer.concat(complaints).toString('utf8');
      if (code === 0) resolve({ printed: Buffer.concat(printed), complaints: complained });
      else resolve({ failure: 'refused', message: firstLine(complained) });
    });
    // git may end before it has read everything; what it then says is on stderr.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** Tells a failure from an answer. */
export function isGitFailure(answer: object): answer is GitFailure {
  return 'failure' in answer;
}

/** Splits the output of a `-z` command. */
export function nulSeparated(output: Buffer): string[] {
  const fields = output.toString('utf8').split('\0');
  fields.pop();
  return fields;
}

function gitEnvironment(): NodeJS.ProcessEnv {
  // GIT_OPTIONAL_LOCKS: reading must not get in the way of an editor or a rebase that holds the index lock.
  const own = Object.entries(process.env).filter(([name]) => !HOOK_VARIABLES.has(name));
  return { ...Object.fromEntries(own), GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };
}

function firstLine(output: string): string {
  return output.trim().split('\n')[0] ?? '';
}
