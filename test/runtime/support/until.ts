/** Resolves as soon as the condition holds; fails, saying which, when it does not within `ms`. */
export async function until(what: string, condition: () => boolean, ms = 5000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`Waited ${ms} ms in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Gives everything that is under way the time to arrive: several turns of the event loop and `ms`. For negative claims only. */
export async function quiet(ms = 40): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
