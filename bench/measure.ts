/** Wall time and peak memory of commands, in rounds, so that a busy moment of the machine hits all of them. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

/** A command to measure. */
export interface Command {
  readonly name: string;
  readonly file: string;
  readonly parameters: readonly string[];
  readonly cwd: string;
  /** The exit codes that mean that it did its work. */
  readonly codes: readonly number[];
  /** For what takes minutes: fewer rounds than the others. */
  readonly rounds?: number;
}

/** Medians of the rounds. */
export interface Measured {
  readonly milliseconds: number;
  /** Of the largest process of the command; undefined where the system does not tell. */
  readonly megabytes: number | undefined;
}

/** Runs every command once per round, in turn, after a round that fills the caches of the disk. */
export async function measure(
  commands: readonly Command[],
  rounds: number,
): Promise<ReadonlyMap<Command, Measured>> {
  const samples = new Map<Command, Measured[]>(commands.map((command) => [command, []]));
  for (let round = -1; round < rounds; round += 1) {
    for (const command of commands) {
      if (round >= (command.rounds ?? rounds) || (round === -1 && command.rounds !== undefined)) continue;
      const sample = await once(command);
      if (round >= 0) samples.get(command)?.push(sample);
    }
  }
  return new Map([...samples].map(([command, each]) => [command, medians(each)]));
}

async function once({ name, file, parameters, cwd, codes }: Command): Promise<Measured> {
  const start = performance.now();
  const child = spawn(file, parameters, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (complaints += chunk));
  let kilobytes = 0;
  const look = () => (kilobytes = Math.max(kilobytes, peakOf(child.pid)));
  const watch = setInterval(look, 10);
  look();
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  }).finally(() => clearInterval(watch));
  const milliseconds = performance.now() - start;
  if (code === null || !codes.includes(code)) {
    throw new Error(`${name} ended with ${String(code)}: ${complaints.trim()}`);
  }
  return { milliseconds, megabytes: kilobytes === 0 ? undefined : kilobytes / 1024 };
}

/** The largest peak of a process and its children so far, in kB, as the kernel keeps it. 0 where there is no /proc. */
function peakOf(pid: number | undefined): number {
  if (pid === undefined) return 0;
  const own = /^VmHWM:\s+(\d+) kB$/m.exec(readProc(`${pid}/status`))?.[1] ?? '0';
  const children = readProc(`${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return Math.max(Number(own), ...children.map(peakOf));
}

/** Nothing for a process that has ended meanwhile. */
function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}

function medians(samples: readonly Measured[]): Measured {
  const peaks = samples.flatMap(({ megabytes }) => megabytes ?? []);
  return {
    milliseconds: median(samples.map(({ milliseconds }) => milliseconds)),
    megabytes: peaks.length === 0 ? undefined : median(peaks),
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
