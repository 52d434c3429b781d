/** Whether a change is published beside its emit already: by an earlier run, or by hand. */
import { ts } from 'ts-morph';
import { statementListOf } from '../../src/analysis/syntax.js';
import type { PublisherRow } from '../../src/protocol/index.js';
import { statementOf } from './publish-edits.js';
import type { EmitPlace } from './publish-place.js';

/** Looks at the statements around the emit: a few in front of it, and a few behind. */
export function isPublishedBeside(place: EmitPlace, rows: readonly PublisherRow[]): boolean {
  const statement = place.exit ?? statementOf(place.node);
  const list = statementListOf(statement);
  if (list === undefined) return false;
  const index = list.indexOf(statement);
  const near = list.slice(Math.max(0, index - NEAR), index + NEAR + 1).filter((one) => one !== statement);
  return rows.every((row) => near.some((one) => publishes(one, row)));
}

/** Several emits may stand in a row, each with its own line. */
const NEAR = 4;

function publishes(statement: ts.Statement, { notify, event }: PublisherRow): boolean {
  if (ts.isFunctionDeclaration(statement)) return false;
  const text = statement.getText();
  return new RegExp(`\\bnotify\\.${notify}\\(|\\.publish\\(\\{\\s*kind:\\s*['"\`]${event}['"\`]`).test(text);
}
