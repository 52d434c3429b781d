/** A notification says that something changed, not what it is now (C7). */
import { CLIENT_MEMBER, FILTER_FIELDS, NOTIFICATION } from '../../../src/protocol/index.js';
import {
  dressed,
  isFunction,
  keyName,
  memberCall,
  memberName,
  parentOf,
  peel,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { eraAt } from '../detection/era.js';
import { receivedByDispatch, receivedByHandlers, type Received } from '../detection/notification-params.js';
import { speaksModern } from '../detection/raw-era.js';
import { createRule } from '../rule.js';

export const noStateFromNotification = createRule({
  name: 'no-state-from-notification',
  docs: {
    description: 'Disallow taking content from a change notification instead of refetching',
    level: 'advice',
    recommended: 'error',
  },
  type: 'problem',
  tokens: ['list_changed', NOTIFICATION.resourceUpdated, 'ChangedNotification', 'UpdatedNotification'],
  messages: {
    member:
      '`{{name}}` is not part of this notification: it says that something changed, and carries at most a `uri`. On a server that keeps to the specification this is undefined. Refetch with `{{refetch}}()` and take the content from its result.',
    merged:
      'These params are no content: they hold at most a `uri` and `_meta`, so merging them changes nothing that was asked for. Refetch with `{{refetch}}()` and keep its result.',
  },
  check({ sourceCode, report }) {
    const received = [
      ...receivedByHandlers(sourceCode),
      ...(speaksModern(sourceCode) ? receivedByDispatch(sourceCode) : []),
    ];
    const seen = new Set<Node>();
    for (const one of received) {
      for (const { node, name } of one.params.flatMap((params) => contentOf(sourceCode, params))) {
        if (seen.has(node) || eraAt(sourceCode, node) === 'legacy') continue;
        seen.add(node);
        const refetch = refetchOf(one);
        if (name === undefined) report({ node, messageId: 'merged', data: { refetch } });
        else report({ node, messageId: 'member', data: { name: `params.${name}`, refetch } });
      }
    }
  },
});

function refetchOf({ method }: Received): string {
  const row = FILTER_FIELDS.find(({ notification }) => notification === method);
  return row?.refetchCalls[0] ?? CLIENT_MEMBER.readResource;
}

interface Content {
  readonly node: Node;
  /** The member that is taken; undefined where all are. */
  readonly name: string | undefined;
}

/** Members that a change notification has. */
const OWN = new Set(['uri', '_meta']);

/** What is taken from params. */
function contentOf(sourceCode: SourceCode, params: Node): Content[] {
  if (params.type === 'ObjectPattern') return ofPattern(params);
  const node = dressed(params);
  const parent = parentOf(node);
  switch (parent?.type) {
    case 'MemberExpression': {
      const name = parent.object === node ? memberName(parent) : undefined;
      return name === undefined || OWN.has(name) ? [] : [{ node: parent, name }];
    }
    case 'VariableDeclarator':
      return parent.id.type === 'ObjectPattern' ? ofPattern(parent.id) : [];
    case 'SpreadElement':
      return isState(parent) ? [{ node: parent, name: undefined }] : [];
    case 'CallExpression': {
      const called = memberCall(parent);
      const isMerge =
        called?.name === 'assign' &&
        sourceCode.getText(called.receiver) === 'Object' &&
        parent.arguments[0] !== node;
      return isMerge && peel(parent.arguments[0] ?? node).type !== 'ObjectExpression'
        ? [{ node: parent, name: undefined }]
        : [];
    }
    default:
      return [];
  }
}

function ofPattern(pattern: TSESTree.ObjectPattern): Content[] {
  return pattern.properties.flatMap((property): Content[] => {
    const name = property.type === 'Property' ? keyName(property) : undefined;
    return name === undefined || OWN.has(name) ? [] : [{ node: property, name }];
  });
}

/** `state = { ...state, ...params }`, `setState((state) => ({ ...state, ...params }))`: not a message that is passed on. */
function isState(spread: TSESTree.SpreadElement): boolean {
  const object = spread.parent;
  if (object.type !== 'ObjectExpression' || object.properties.length < 2) return false;
  const outer = parentOf(dressed(object));
  if (outer?.type === 'AssignmentExpression') return outer.right === dressed(object);
  const call = isFunction(outer) ? parentOf(outer) : undefined;
  return (
    call?.type === 'CallExpression' && call.callee.type === 'Identifier' && /^set[A-Z]/.test(call.callee.name)
  );
}
