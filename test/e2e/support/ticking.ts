import type { Hearer, Listener } from './listeners.js';
import { numberIn } from './served-apps.js';
import { until } from './until.js';

/** How long one measurement of the timer lasts: long enough to look at everything between two. */
export const PERIOD = 500;
const TICKS = 4;

interface Sample {
  /** What the server says. */
  number: number;
  heard: number[];
}

/** What the timer changed, and how much of that every listener heard. */
export async function ticking(
  uri: string,
  reader: Listener,
  hearers: readonly Hearer[],
): Promise<{ changes: number; heard: number[] }> {
  const heard = (): number[] => hearers.map((hearer) => hearer.updates());

  /** Between two ticks: nothing was under way while the server was asked. */
  async function sample(): Promise<Sample> {
    for (;;) {
      const before = heard();
      const number = await numberIn(reader.client, uri);
      await new Promise((resolve) => setTimeout(resolve, PERIOD / 5));
      const again = await numberIn(reader.client, uri);
      const after = heard();
      if (number === again && before.join() === after.join()) return { number, heard: after };
    }
  }

  await until('the timer ticks', () => heard().every((count) => count > 0));
  const first = await sample();
  await until('it goes on ticking', async () => (await numberIn(reader.client, uri)) >= first.number + TICKS);
  const last = await sample();
  return {
    changes: last.number - first.number,
    heard: last.heard.map((count, index) => count - first.heard[index]!),
  };
}
