/** Whether a listen branch has to do with the acknowledgment at all. */
import { NOTIFICATION } from '../../../src/protocol/index.js';
import { memberName, peel, type Node, type SourceCode } from '../ast.js';
import { importOf } from './bindings.js';
import { find } from './nodes.js';
import { stringOf } from './values.js';
import type { ListenBranch } from './wire-branches.js';

const NAMED = /(?:^|[^a-zA-Z])ack(?![a-z])|Ack(?![a-z])|ACK|[aA]cknowledg/;

/** Whether a branch spells the acknowledgment, calls what is named after it, or has its name from another file. */
export function acknowledges(sourceCode: SourceCode, { region }: ListenBranch): boolean {
  return region.some((root) => find(sourceCode, root, isAny).some((node) => isAbout(sourceCode, node)));
}

function isAny(node: Node): node is Node {
  return node.type !== 'Program';
}

function isAbout(sourceCode: SourceCode, node: Node): boolean {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' && node.value.includes(NOTIFICATION.acknowledged);
    case 'TemplateElement':
      return node.value.raw.includes(NOTIFICATION.acknowledged);
    case 'CallExpression': {
      const callee = peel(node.callee);
      const name =
        callee.type === 'Identifier'
          ? callee.name
          : callee.type === 'MemberExpression'
            ? memberName(callee)
            : undefined;
      return name !== undefined && NAMED.test(name);
    }
    case 'MemberExpression':
    case 'Identifier': {
      if (stringOf(sourceCode, node) === NOTIFICATION.acknowledged) return true;
      const imported = importOf(sourceCode, node);
      return imported !== undefined && NAMED.test(imported.name);
    }
    default:
      return false;
  }
}
