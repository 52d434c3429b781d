/** What a run comes to, as the one number that scripts and CI see. */
import type { RunResult } from '../migration/result.js';

/** The exit codes of every command. */
export const EXIT = {
  /** Done, and nothing is left to decide. */
  done: 0,
  /** Done, and something is left: markers, or files that could not be read or written. */
  left: 1,
  /** Refused, or called in a way that makes no sense. */
  refused: 2,
  /** No source, or no MCP code in it. */
  nothing: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * The exit code of a run. A dry run has the code that the real run would have. Findings do not fail a scan: it is a
 * report (design decision 15), and so is what it says about a package that `migrate` would refuse.
 */
export function exitCode(result: RunResult): ExitCode {
  const migrates = result.command === 'migrate';
  if (migrates && result.refusals.length > 0) return EXIT.refused;
  if (result.errors.length > 0) return EXIT.left;
  if (migrates && hasWorkLeft(result)) return EXIT.left;
  return result.files.candidates === 0 ? EXIT.nothing : EXIT.done;
}

/**
 * Whether a person has something to decide: a marker, a site that should have one and has no place for it, a comment of
 * the official codemod, a warning of it that it has put into no comment, or a dependency that is to be added by hand.
 */
export function hasWorkLeft({ markers, sites, upgrades = [], dependencies = [] }: RunResult): boolean {
  const isLeft = upgrades.some(
    ({ left, messages }) => left.length > 0 || messages.some(({ level }) => level === 'warning'),
  );
  const isUnlisted = dependencies.some(({ manifest, messages }) => manifest === null || messages.length > 0);
  return markers.length > 0 || isLeft || isUnlisted || sites.some((site) => site.outcome === 'marked');
}
