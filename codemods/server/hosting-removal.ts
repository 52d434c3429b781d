/** What goes with the old hosting of a server that leaves the legacy era. */
import type { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import { httpPlanOf } from './http-plan.js';
import { moveOf } from './move.js';

/** Whether a place stands in an old route, or in something that only those have used. */
export function goesWithHosting(node: ts.Node, group: ServerGroup, facts: Facts): boolean {
  if (moveOf(group, facts, 'modern').to !== 'http') return false;
  const plan = httpPlanOf(group, facts, 'modern');
  if ('text' in plan) return false;
  const { file } = facts.unitOf(node);
  return [...plan.edits.values()]
    .flat()
    .some((edit) => edit.file === file && edit.start <= node.getStart() && node.end <= edit.end);
}
