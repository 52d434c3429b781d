/** A send that nobody waits for rejects once its instance is closed, which ends the process (T39): it gets a catch. */
import { ts } from 'ts-morph';
import type { SourceUnit } from '../../src/analysis/source-unit.js';
import { dressed } from '../../src/analysis/syntax.js';
import type { FileEdit } from '../codemod.js';

const CAUGHT = '.catch(() => {})';
const WHY = ' // rejects once this instance is closed';

const known = new WeakMap<ts.CallExpression, readonly FileEdit[]>();

/** The edits that catch a floating send: the same ones for everybody who asks. */
export function caughtSend(call: ts.CallExpression, unit: SourceUnit): readonly FileEdit[] {
  const edits = known.get(call) ?? compose(call, unit);
  known.set(call, edits);
  return edits;
}

function compose(call: ts.CallExpression, { file, text, tree }: SourceUnit): FileEdit[] {
  const reason = 'caught';
  const node = dressed(call);
  const { parent } = node;
  const edits: FileEdit[] = [{ file, start: node.end, end: node.end, text: CAUGHT, reason }];
  const isVoid = ts.isVoidExpression(parent);
  if (isVoid && ts.isExpressionStatement(parent.parent)) {
    const [start, end] = [parent.getStart(tree), node.getStart(tree)];
    if (/^void\s+$/.test(text.slice(start, end))) edits.push({ file, start, end, text: '', reason });
  }
  const statement = isVoid ? parent.parent : parent;
  if (!ts.isExpressionStatement(statement)) return edits;
  const line = /^[^\r\n]*/.exec(text.slice(statement.end))?.[0] ?? '';
  // A comment that stands there already says something of its own.
  if (line.trim() === '') edits.push({ file, start: statement.end, end: statement.end, text: WHY, reason });
  return edits;
}

/** Whether nobody waits for the promise of a call, or the one who does is a callback whose own promise nobody waits for. */
export function isLeftAlone(call: ts.CallExpression): boolean {
  const node = dressed(call);
  const { parent } = node;
  if (ts.isVoidExpression(parent) || ts.isExpressionStatement(parent)) return true;
  return ts.isArrowFunction(parent) && parent.body === node && isTimed(parent);
}

const TIMERS = /^(?:globalThis\.)?set(?:Interval|Timeout|Immediate)$/;

function isTimed(callback: ts.Node): boolean {
  const argument = dressed(callback);
  return ts.isCallExpression(argument.parent) && TIMERS.test(argument.parent.expression.getText());
}

/** `await server.sendResourceUpdated(…)` in a callback of a timer or a watcher, outside of any `try`. */
export function isAwaitedByNobody(call: ts.CallExpression): boolean {
  if (!ts.isAwaitExpression(dressed(call).parent)) return false;
  let child: ts.Node = call;
  for (let at = call.parent as ts.Node | undefined; at !== undefined; child = at, at = at.parent) {
    if (ts.isTryStatement(at) && at.catchClause !== undefined && child === at.tryBlock) return false;
    if (ts.isFunctionLike(at)) {
      const { parent } = dressed(at);
      return (
        ts.isCallExpression(parent) &&
        /(?:^|\.)(?:set(?:Interval|Timeout|Immediate)|on|once|watch|watchFile|addListener|addEventListener)$/.test(
          parent.expression.getText(),
        )
      );
    }
  }
  return false;
}
