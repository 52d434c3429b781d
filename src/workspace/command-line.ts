/**
 * Commands that a report tells people to run.
 */

/** An argument as a shell takes it. Double quotes where they suffice, since they work on Windows too. */
export function quoteArgument(argument: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(argument) && !(argument.includes('\\') && process.platform !== 'win32'))
    return argument;
  if (process.platform === 'win32' || !/["$`\\!]/.test(argument)) return `"${argument}"`;
  return `'${argument.replaceAll("'", `'\\''`)}'`;
}
