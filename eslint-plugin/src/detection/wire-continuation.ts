/** What a client does after it has sent a listen, up to where it may have read something. */
import { FILTER_FIELDS } from '../../../src/protocol/index.js';
import {
  leavesFunction,
  dressedWithAwait,
  enclosingStatement,
  isFunction,
  memberCall,
  memberName,
  parentOf,
  peel,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { definitionOf, variableOf } from './bindings.js';
import { find } from './nodes.js';
import { booleanOf, stringOf } from './values.js';
import { messagesIn } from './wire.js';
import type { ListenRequest } from './wire-requests.js';

/** Names by which people read again what may have changed. */
const REFETCH =
  /^(?:re(?:fetch|load|fresh|sync)_?(?:all|everything|(?:tool|prompt|resource)s?(?:list)?|lists?|catalog|snapshot)?|list(?:Tools|Prompts|Resources)|readResource)$/i;

/** Names by which people say that the subscription stands. */
const READY = /^(?:(?:set|mark)?_?(?:is)?(?:ready|subscribed|subscription_?active))$|^onSubscribed$/i;

const REFETCH_METHODS: ReadonlySet<string> = new Set(FILTER_FIELDS.flatMap(({ refetch }) => refetch));

/** The call or assignment that takes the subscription for open before anything of it was read. */
export function actsBeforeReading(
  sourceCode: SourceCode,
  { post, pipe }: ListenRequest,
): TSESTree.CallExpression | TSESTree.AssignmentExpression | undefined {
  const call = post?.call ?? pipe;
  const statement = call === undefined ? undefined : enclosingStatement(call);
  if (call === undefined || statement === undefined) return undefined;
  const response = post === undefined ? undefined : responseOf(call, statement);
  if (post !== undefined && response === undefined) return undefined;
  for (const next of statementsAfter(statement)) {
    if (next.type === 'IfStatement' && leavesFunction(next.consequent) && next.alternate === null) continue;
    for (const node of nodesAtOnce(sourceCode, next)) {
      if (response !== undefined && reads(sourceCode, node, response)) return undefined;
      if (isAct(sourceCode, node)) return node;
      // Who waits may have been told by whoever reads.
      if (node.type === 'AwaitExpression' && !isAct(sourceCode, node.argument)) return undefined;
      if (node.type === 'ReturnStatement' || LOOPS.has(node.type)) return undefined;
    }
  }
  return undefined;
}

const LOOPS = new Set([
  'ForStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
  'TryStatement',
]);

/** `const response = await fetch(…);` */
function responseOf(call: Node, statement: Node): TSESTree.Identifier | undefined {
  const outer = dressedWithAwait(call);
  if (outer.type !== 'AwaitExpression' && parentOf(call)?.type !== 'AwaitExpression') return undefined;
  const declarator = parentOf(outer);
  return declarator?.type === 'VariableDeclarator' &&
    declarator.id.type === 'Identifier' &&
    declarator.parent === statement
    ? declarator.id
    : undefined;
}

function statementsAfter(statement: Node): readonly Node[] {
  const block = parentOf(statement);
  return block?.type === 'BlockStatement' || block?.type === 'Program'
    ? block.body.filter(({ range }) => range[0] >= statement.range[1])
    : [];
}

/** The nodes of a statement that run with it: not those of the functions in it. */
function nodesAtOnce(sourceCode: SourceCode, statement: Node): Node[] {
  const later = find(sourceCode, statement, isFunction);
  return find(sourceCode, statement, (node): node is Node =>
    later.every(({ range }) => !(range[0] <= node.range[0] && node.range[1] <= range[1])),
  );
}

/** Whether a node hands on the response, or reads more of it than its head. */
function reads(sourceCode: SourceCode, node: Node, response: TSESTree.Identifier): boolean {
  if (node.type !== 'Identifier' || node === response) return false;
  if (variableOf(sourceCode, node) !== variableOf(sourceCode, response)) return false;
  const member = parentOf(node);
  return !(
    member?.type === 'MemberExpression' &&
    member.object === node &&
    ['ok', 'status', 'statusText', 'headers'].includes(memberName(member) ?? '')
  );
}

function isAct(
  sourceCode: SourceCode,
  node: Node,
): node is TSESTree.CallExpression | TSESTree.AssignmentExpression {
  if (node.type === 'AssignmentExpression') {
    const name = nameOf(node.left);
    return name !== undefined && READY.test(name) && booleanOf(sourceCode, node.right) === true;
  }
  if (node.type !== 'CallExpression') return false;
  const name = nameOf(node.callee);
  if (name === undefined) return false;
  if (REFETCH.test(name)) return true;
  const [first] = node.arguments;
  if (READY.test(name)) return first === undefined || booleanOf(sourceCode, first) !== false;
  if (name === 'emit') return READY.test(stringOf(sourceCode, first) ?? '');
  if (name === 'fetch') return node.arguments.slice(1).some((argument) => asksAgain(sourceCode, argument));
  return isResolve(sourceCode, node.callee);
}

function asksAgain(sourceCode: SourceCode, options: Node): boolean {
  const body =
    options.type === 'ObjectExpression'
      ? options.properties.find(
          (property): property is TSESTree.Property =>
            property.type === 'Property' &&
            property.key.type === 'Identifier' &&
            property.key.name === 'body',
        )?.value
      : undefined;
  return (
    body !== undefined &&
    messagesIn(sourceCode, body).some(({ method }) => method !== undefined && REFETCH_METHODS.has(method))
  );
}

/** The first parameter of what `new Promise(…)` is given. */
function isResolve(sourceCode: SourceCode, callee: Node): boolean {
  const node = peel(callee);
  if (node.type !== 'Identifier') return false;
  const definition = definitionOf(variableOf(sourceCode, node));
  if (definition?.type !== 'Parameter' || !isFunction(definition.node)) return false;
  const creation = parentOf(definition.node);
  return (
    definition.node.params[0] === definition.name &&
    creation?.type === 'NewExpression' &&
    creation.callee.type === 'Identifier' &&
    creation.callee.name === 'Promise'
  );
}

function nameOf(node: Node): string | undefined {
  const inner = peel(node);
  if (inner.type === 'Identifier') return inner.name;
  const called = memberCall(inner);
  if (called !== undefined) return called.name;
  return inner.type === 'MemberExpression' ? memberName(inner)?.replace(/^#/, '') : undefined;
}
