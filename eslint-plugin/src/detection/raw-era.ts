/** Which era raw code speaks: by the words of the wire that it spells, and by the questions that lead to a place. */
import {
  HEADER,
  META,
  METHOD,
  MODERN_REVISION,
  NOTIFICATION,
  type Era,
} from '../../../src/protocol/index.js';
import {
  enclosingFunction,
  enclosingFunctions,
  keyName,
  memberCall,
  memberName,
  parentOf,
  peel,
  type FunctionNode,
  type Node,
  type SourceCode,
} from '../ast.js';
import { variableOf } from './bindings.js';
import { eraAt, forksByEra } from './era.js';
import { nodesOf } from './nodes.js';
import { enclosingClass } from './origins.js';
import { servingsOf } from './servers.js';
import { stringOf } from './values.js';

/** What only modern code spells. */
const MODERN_WORDS = [
  METHOD.subscriptionsListen,
  NOTIFICATION.acknowledged,
  HEADER.method.toLowerCase(),
  MODERN_REVISION,
  ...Object.values(META).map((key) => key.toLowerCase()),
];

const modern = new WeakMap<SourceCode, boolean>();

/** Whether a file speaks the modern era somewhere: in a string of its own, or by serving a factory. */
export function speaksModern(sourceCode: SourceCode): boolean {
  const known = modern.get(sourceCode);
  if (known !== undefined) return known;
  const answer =
    servingsOf(sourceCode).length > 0 ||
    stringsOf(sourceCode).some((text) => MODERN_WORDS.includes(text.toLowerCase()));
  modern.set(sourceCode, answer);
  return answer;
}

/** The strings of a file, whole. */
function stringsOf(sourceCode: SourceCode): string[] {
  return nodesOf(sourceCode)
    .of('Literal')
    .flatMap(({ value }) => (typeof value === 'string' ? [value] : []))
    .concat(
      nodesOf(sourceCode)
        .of('TemplateElement')
        .map(({ value }) => value.raw),
    );
}

/**
 * Whether raw code at a place can run on a modern connection: it speaks the modern era, and no question for the era
 * keeps it to the legacy one.
 *
 * @param includeLegacy whether code that speaks the legacy era alone counts, as it does on its way to the modern one
 */
export function canRunOnModern(sourceCode: SourceCode, node: Node, includeLegacy: boolean): boolean {
  const era = eraReaching(sourceCode, node);
  if (era !== undefined) return era === 'modern';
  // The file asks for the era in a way that does not lead here: the other leg may be this one.
  if (forksByEra(sourceCode) || namesAnEra(sourceCode)) return false;
  return includeLegacy || speaksModern(sourceCode);
}

function namesAnEra(sourceCode: SourceCode): boolean {
  return nodesOf(sourceCode)
    .of('Identifier')
    .some(({ name }) => /legacy|is_?modern|^era$|Era$/i.test(name));
}

/** The era by which a place is reached: by the questions around it, or around all calls of its function. */
export function eraReaching(sourceCode: SourceCode, node: Node, depth = 0): Era | undefined {
  const era = eraAt(sourceCode, node) ?? sessionAt(node);
  if (era !== undefined || depth > 3) return era;
  const around = enclosingFunction(node);
  const mentions = around === undefined ? [] : mentionsOf(sourceCode, around);
  const [first, ...others] = new Set(mentions.map((one) => eraReaching(sourceCode, one, depth + 1)));
  return others.length === 0 ? first : undefined;
}

/** `if (sessionId)`: only a legacy connection has a session. */
function sessionAt(node: Node): Era | undefined {
  let at = node;
  for (let parent = parentOf(at); parent !== undefined; parent = parentOf(parent)) {
    if (parent.type === 'IfStatement' && at === parent.consequent && isSessionId(parent.test))
      return 'legacy';
    if (parent.type === 'LogicalExpression' && at === parent.right && parent.operator === '&&') {
      // Within headers the session is what is sent, not what is asked for.
      if (isSessionId(parent.left) && parentOf(parent)?.type !== 'SpreadElement') return 'legacy';
    }
    at = parent;
  }
  return undefined;
}

function isSessionId(test: Node): boolean {
  const node = peel(test);
  if (node.type === 'BinaryExpression') return node.operator.startsWith('!=') && isSessionId(node.left);
  const name =
    node.type === 'Identifier' ? node.name : node.type === 'MemberExpression' ? memberName(node) : undefined;
  return name !== undefined && /session_?id$/i.test(name);
}

/** Where a function of the file is named: calls, and places that hand it on. */
function mentionsOf(sourceCode: SourceCode, declared: FunctionNode): Node[] {
  const holder = parentOf(declared);
  const name =
    declared.type === 'FunctionDeclaration'
      ? declared.id
      : holder?.type === 'VariableDeclarator' && holder.id.type === 'Identifier'
        ? holder.id
        : null;
  if (name !== null)
    return (
      variableOf(sourceCode, name)
        ?.references.filter((reference) => reference.isRead())
        .map(({ identifier }) => identifier) ?? []
    );
  if (holder?.type !== 'MethodDefinition' && holder?.type !== 'PropertyDefinition') {
    // A callback runs where it stands, as far as eras go; `eraAt` has looked there.
    return [];
  }
  const member = keyName(holder);
  return nodesOf(sourceCode)
    .of('MemberExpression')
    .filter(
      (one) =>
        memberName(one) === member &&
        one.object.type === 'ThisExpression' &&
        enclosingClass(one) === holder.parent.parent,
    );
}

const EVIDENCE = new RegExp(
  [
    HEADER.sessionId,
    HEADER.protocolVersion,
    'jsonrpc',
    'io\\.modelcontextprotocol/',
    ...[...Object.values(METHOD), ...Object.values(NOTIFICATION)].filter((method) => method.includes('/')),
    '/mcp\\b',
  ].join('|'),
  'i',
);

/** Whether raw code at a place is about MCP: a file of several streams says so in the function of each. */
export function isMcpPlace(sourceCode: SourceCode, node: Node): boolean {
  for (const around of enclosingFunctions(node)) {
    const path = routePath(sourceCode, around);
    if (path !== undefined) return /(?:^|\/)mcp\b/i.test(path);
    if (EVIDENCE.test(sourceCode.getText(around))) return true;
  }
  const owner = enclosingClass(node);
  return EVIDENCE.test(sourceCode.getText(owner ?? topStatement(node)));
}

function topStatement(node: Node): Node {
  let at = node;
  for (let parent = parentOf(at); parent !== undefined && parent.type !== 'Program'; parent = parentOf(at))
    at = parent;
  return at;
}

const ROUTERS = new Set(['get', 'post', 'put', 'delete', 'all', 'use', 'route', 'on']);

/** The path of the route that a function handles: `app.get('/jobs', handler)`. */
function routePath(sourceCode: SourceCode, handler: FunctionNode): string | undefined {
  const call = parentOf(handler);
  const called = call === undefined ? undefined : memberCall(call);
  if (called === undefined || !ROUTERS.has(called.name)) return undefined;
  const path = stringOf(sourceCode, called.call.arguments[0]);
  return path?.startsWith('/') === true ? path : undefined;
}
