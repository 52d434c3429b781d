/** STUB until the real one lands. */
import { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import type { ServerEntry, ServerGroup } from '../../src/analysis/server-group.js';
import type { Target } from '../../src/codegen/negotiation.js';
import type { FileEdit } from '../codemod.js';
import type { Obstacle } from '../obstacle.js';
import type { ImportNeed } from './imports.js';

/** STUB */
export interface FactoryExpression {
  readonly text: string;
  readonly edits: readonly FileEdit[];
  readonly imports: readonly ImportNeed[];
}

/** STUB */
export function factoryAt(
  entry: ServerEntry,
  _group: ServerGroup,
  facts: Facts,
  _target: Target,
): FactoryExpression | Obstacle {
  const callee = entry.call.expression;
  const server = ts.isPropertyAccessExpression(callee) ? callee.expression : undefined;
  const declaration =
    server === undefined ? undefined : facts.world.checker.getSymbolAtLocation(server)?.valueDeclaration;
  const made =
    declaration !== undefined && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
  const call = made !== undefined && ts.isAwaitExpression(made) ? made.expression : made;
  if (call === undefined || !ts.isCallExpression(call)) return { text: 'it is built inline', at: entry.call };
  return {
    text: call.arguments.length === 0 ? call.expression.getText() : `() => ${call.getText()}`,
    edits: [],
    imports: [],
  };
}
