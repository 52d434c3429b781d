/**
 * What went wrong with one file, as a value: a run goes on without the file and says so.
 */

/** One file that could not be handled. */
export interface Problem {
  /** Absolute path. */
  readonly file: string;
  /** One line, without the path: what is wrong and what to do. */
  readonly message: string;
}

/** Tells a problem from the value that was asked for. */
export function isProblem(value: object | undefined): value is Problem {
  return value !== undefined && 'message' in value && 'file' in value;
}

/** The operating system's reason without Node's repetition of the path: `EACCES: permission denied`. */
export function systemReason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/, (?:\w+)(?: '.*)?$/s, '');
}

/** The error code of a failed file system call (`ENOENT`), if it is one. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
