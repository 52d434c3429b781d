/** The contract of a codemod: it finds sites, and it says for each what becomes of it. */
import type { ts } from 'ts-morph';
import type { Facts } from '../src/analysis/facts.js';
import type { Group } from '../src/analysis/group.js';
import type { Site } from '../src/analysis/site.js';
import type { Edit } from '../src/codegen/edit.js';
import type { Target } from '../src/codegen/negotiation.js';
import type { Mechanism } from '../src/protocol/index.js';
import type { ImportNeed } from './server/imports.js';

export type { Target } from '../src/codegen/negotiation.js';

/** An edit of one file. */
export interface FileEdit extends Edit {
  /** Absolute path with forward slashes. */
  readonly file: string;
}

/** A file that rewritten code imports and that is not there yet. */
export interface CreatedFile {
  /** Absolute path with forward slashes. */
  readonly file: string;
  readonly text: string;
}

/** What becomes of a site. */
export type Outcome =
  | {
      readonly kind: 'rewritten';
      /** An edit that several sites of a group share is one object, and is made once. */
      readonly edits: readonly FileEdit[];
      /** What was done, for the report. */
      readonly reason: string;
      /** Files in which the edits use the managed stream's factory, by the name that `streamName` gives. */
      readonly streamFiles?: readonly string[];
      /** Names of other modules that the edits use, as `importedName` spells them; brought in once per file. */
      readonly imports?: readonly ImportNeed[];
      /** Packages that the site's package needs then, besides those of its imports. */
      readonly needs?: readonly string[];
      /** Files that the edits import: created before the edited ones are written, each once. */
      readonly files?: readonly CreatedFile[];
      /** What is left to decide although the code was rewritten, for a marker above it. */
      readonly marker?: string;
    }
  | {
      readonly kind: 'marked';
      /** What a person must decide: one sentence without its full stop. */
      readonly text: string;
      /** The same for the report, where that can say more: a line, which would be wrong in the code as soon as a marker is in it. */
      readonly reason?: string;
      /** Where the marker goes; the site itself where absent. */
      readonly anchor?: ts.Node;
      /** Whether the rest of the site's group has to stay as it is, too. */
      readonly blocks: boolean;
    }
  | {
      readonly kind: 'kept' | 'reported';
      readonly reason: string;
      /** Whether the reason is true only once the rest of its group is rewritten. */
      readonly onceRewritten?: boolean;
    };

/** One codemod, about one kind of group. */
export interface Codemod<G extends Group = Group> {
  /** Its name on the command line and in `exports`: `client/subscribe-calls`. */
  readonly name: string;
  /** What of 2025 it is about. */
  readonly removes: Mechanism;
  /** A file without any of these is never parsed for its sake. */
  readonly tokens: readonly string[];
  /** Finds its sites. `scan` and `migrate` share this: they can never disagree. */
  find(facts: Facts): Site<G>[];
  /** Decides about one of its sites. */
  rewrite(site: Site<G>, facts: Facts, target: Target): Outcome;
}
