/** Two places of which only one runs: the branches of one question. */
import { leavesFunction, contains, parentOf, type Node } from '../ast.js';

/** Whether two places lie in different branches of one `if`, conditional, `switch`, or of `try` and its handler. */
export function areExclusive(one: Node, other: Node): boolean {
  let at = one;
  for (let parent = parentOf(at); parent !== undefined; parent = parentOf(at)) {
    if (contains(parent, other)) return branchesApart(parent, at, other);
    at = parent;
  }
  return false;
}

function branchesApart(parent: Node, branch: Node, other: Node): boolean {
  switch (parent.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return branch !== parent.test && !contains(parent.test, other);
    case 'SwitchStatement':
      return branch.type === 'SwitchCase';
    case 'TryStatement':
      return parent.handler !== null && (branch === parent.handler || contains(parent.handler, other));
    // if (a) { …; return; } …
    case 'BlockStatement':
    case 'Program':
      return branch.type === 'IfStatement' && leavesFunction(branch.consequent);
    default:
      return false;
  }
}
