/** A place in source that uses a mechanism of 2025, or one of its replacements. */
import type { ts } from 'ts-morph';
import type { Mechanism, ShapeId } from '../protocol/index.js';
import type { Group } from './group.js';
import type { SourceUnit } from './source-unit.js';

/** How sure the analysis is of what a site is. Only `certain` is rewritten. */
export type Confidence = 'certain' | 'likely' | 'review';

/** One site. */
export interface Site<G extends Group = Group> {
  readonly unit: SourceUnit;
  readonly node: ts.Node;
  readonly side: 'client' | 'server' | 'wire';
  readonly shape: ShapeId;
  readonly mechanism: Mechanism;
  readonly group: G;
  readonly confidence: Confidence;
  /** What a client was told about eras; its constructor alone has one. */
  readonly era?: string;
}
