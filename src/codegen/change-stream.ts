/** Names of the managed change stream: the file that is copied into a package, and what it exports. */

/** The copied file's name without its extension. */
export const CHANGE_STREAM_FILE = 'mcp-change-stream';

const COPY = new RegExp(`(?:^|/)${CHANGE_STREAM_FILE}\\.[cm]?[jt]s$`);

/** Whether a path, with forward slashes, is a copy of the managed stream. */
export function isChangeStreamFile(file: string): boolean {
  return COPY.test(file);
}

/** The function that it exports. */
export const CHANGE_STREAM_FUNCTION = 'changeStream';

/** Methods of what the function returns. */
export const CHANGE_STREAM_METHOD = {
  subscribe: 'subscribe',
  unsubscribe: 'unsubscribe',
  listen: 'listen',
} as const;
