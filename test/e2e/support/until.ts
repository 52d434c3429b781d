/** Waits until the condition holds; what it waited for is in the error if that never happens. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  ms = 20_000,
): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Waited ${String(ms)} ms for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
