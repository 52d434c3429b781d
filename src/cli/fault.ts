/** What is said about an exception that nobody expected. */

/** One line about the fault and how to report it; the stack is for whoever asks. */
export function faultMessage(error: unknown, withStack: boolean): string {
  const message = error instanceof Error ? error.message : String(error);
  const [line = ''] = message.split('\n');
  const stack = withStack && error instanceof Error ? `${error.stack ?? ''}\n` : '';
  return (
    `mcp-listen: internal error: ${line}\n` +
    'This is a fault of mcp-listen. Please report it, with the command line and what it prints\n' +
    'with DEBUG=mcp-listen.\n' +
    stack
  );
}
