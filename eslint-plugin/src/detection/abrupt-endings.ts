/** The loops by which a hand-written server ends its listen streams as it shuts down, and answers none of them (D5). */
import {
  isCall,
  contains,
  keyName,
  memberCall,
  memberName,
  parentOf,
  peel,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { definitionOf, variableOf } from './bindings.js';
import { elementPart } from './loop-elements.js';
import { find } from './nodes.js';
import { enclosingClass, functionOf } from './origins.js';
import { isPrivate } from './uses.js';
import { shutdownAround } from './shutdowns.js';
import { messagesOf } from './wire.js';
import { acknowledges } from './wire-acknowledgment.js';
import { runsIn } from './wire-branches.js';
import { isSameContainer, keepingsOf, loopsOf, type Keeping, type Loop } from './wire-registries.js';
import { isOwnContainer, wordsOf } from './wire-transport.js';
import { plainObject } from './wire-values.js';

/** The calls of a file that end the streams of all listens at a shutdown, where nothing answers the listens before. */
export function abruptEndings(sourceCode: SourceCode): TSESTree.CallExpression[] {
  const kept = keepingsOf(sourceCode);
  if (kept.length === 0) return [];
  const loops = loopsOf(sourceCode);
  return loops.flatMap((loop) => {
    const keepings = kept.filter(({ container }) => isSameContainer(sourceCode, container, loop.container));
    const shutdown = loop.isFiltered ? undefined : shutdownAround(sourceCode, loop.body);
    if (keepings.length === 0 || shutdown === undefined) return [];
    if (!keepings.every((keeping) => isLeftOpen(sourceCode, keeping, shutdown))) return [];
    const call = onlyEnding(sourceCode, loop, keepings);
    if (call === undefined || !staysInSight(sourceCode, loop, shutdown)) return [];
    const mayAnswer = loops.some(
      (other) =>
        isSameContainer(sourceCode, other.container, loop.container) &&
        onlyEnding(sourceCode, other, keepings) === undefined &&
        answersPerhaps(sourceCode, other),
    );
    return mayAnswer ? [] : [call];
  });
}

/** Words by which code learns of a shutdown, or answers a listen. */
const ANSWERING = /shut_?down|graceful|drain|SIGTERM|SIGINT|cancelled|complete|result|finish|\bend|close\b/i;
const TOLD = /shut_?down|graceful|drain|SIGTERM|SIGINT|cancelled|complete|finish/i;

/** Whether what a loop runs may answer the listens: by its words, or by a function of another file. */
function answersPerhaps(sourceCode: SourceCode, { body }: Loop): boolean {
  const calls = find(sourceCode, body, isCall).filter(({ callee }) => callee.type === 'Identifier');
  const called = calls.map(({ callee }) => functionOf(sourceCode, callee));
  const known = called.filter((one) => one !== undefined);
  return known.length < called.length || ANSWERING.test(wordsOf(sourceCode, body, ...known));
}

/** Whether a listen branch keeps its stream in a container of the file, and has no code that answers the listen. */
function isLeftOpen(sourceCode: SourceCode, { container, branch }: Keeping, shutdown: Node): boolean {
  return (
    isOwnContainer(sourceCode, container) &&
    acknowledges(sourceCode, branch) &&
    !runsIn(branch, shutdown) &&
    !messagesOf(sourceCode).some(({ kind, object }) => kind === 'result' && runsIn(branch, object)) &&
    !TOLD.test(wordsOf(sourceCode, ...branch.region))
  );
}

/** The one call of a loop that ends a stream, where the loop does nothing else with it. */
function onlyEnding(
  sourceCode: SourceCode,
  loop: Loop,
  keepings: readonly Keeping[],
): TSESTree.CallExpression | undefined {
  const endings: TSESTree.CallExpression[] = [];
  for (const expression of expressionsOf(loop.body)) {
    const node = expression === undefined ? undefined : peel(expression);
    if (node?.type !== 'CallExpression') return undefined;
    const called = memberCall(node);
    if (called?.name === 'end' && node.arguments.length === 0) {
      const part = elementPart(sourceCode, loop, called.receiver);
      if (!keepings.every(({ value }) => part !== undefined && isResponse(sourceCode, value, part)))
        return undefined;
      endings.push(node);
    } else if (!isTidying(sourceCode, node, loop)) return undefined;
  }
  return endings.length === 1 ? endings[0] : undefined;
}

/** The expressions that a body runs one after the other; undefined for a statement of another kind. */
function expressionsOf(body: Node): (Node | undefined)[] {
  switch (body.type) {
    case 'BlockStatement':
      return body.body.flatMap(expressionsOf);
    case 'ExpressionStatement':
      return [body.expression];
    case 'TryStatement':
      return expressionsOf(body.block);
    case 'CallExpression':
    case 'ChainExpression':
      return [body];
    default:
      return [undefined];
  }
}

/** `clearInterval(timer)`, `streams.delete(id)` */
function isTidying(sourceCode: SourceCode, call: TSESTree.CallExpression, { container }: Loop): boolean {
  if (call.callee.type === 'Identifier') return ['clearInterval', 'clearTimeout'].includes(call.callee.name);
  const called = memberCall(call);
  return called?.name === 'delete' && isSameContainer(sourceCode, called.receiver, container);
}

/** Whether a kept value is a response that its handler was given, or holds one under a name. */
function isResponse(sourceCode: SourceCode, value: Node, part: string): boolean {
  if (part !== '') {
    const property = plainObject(sourceCode, value)?.properties.find(
      (one) => one.type === 'Property' && keyName(one) === part,
    );
    return property?.type === 'Property' && isResponse(sourceCode, property.value, '');
  }
  const node = peel(value);
  const variable = node.type === 'Identifier' ? variableOf(sourceCode, node) : undefined;
  return (
    definitionOf(variable)?.type === 'Parameter' &&
    variable?.references.some(({ identifier }) => {
      const parent = parentOf(identifier);
      return (
        parent?.type === 'MemberExpression' &&
        parent.object === identifier &&
        WRITING.has(memberName(parent) ?? '')
      );
    }) === true
  );
}

const WRITING = new Set(['write', 'writeHead', 'setHeader', 'flushHeaders']);

/** Whether nobody else reaches what a container holds, and the shutdown goes through it this once. */
function staysInSight(sourceCode: SourceCode, { container, body }: Loop, shutdown: Node): boolean {
  return (
    mentionsOf(sourceCode, container)?.every((mention) => {
      const parent = parentOf(mention);
      const isMember = parent?.type === 'MemberExpression' && parent.object === mention;
      const name = isMember ? memberName(parent) : undefined;
      if (contains(shutdown, mention) && !isHead(mention, body))
        return name !== undefined && ['clear', 'delete', 'size', 'length'].includes(name);
      return name !== undefined || parent?.type === 'ForOfStatement' || parent?.type === 'SpreadElement';
    }) === true
  );
}

/** Whether a mention stands in the head of the loop: `for (const stream of [...streams.values()])`. */
function isHead(mention: Node, body: Node): boolean {
  const around = parentOf(body);
  const loop =
    around?.type === 'ForOfStatement' ? around : around === undefined ? undefined : parentOf(around);
  return loop !== undefined && contains(loop, mention) && !contains(body, mention);
}

/** All mentions of a container but its making; undefined where others may have it, too. */
function mentionsOf(sourceCode: SourceCode, container: Node): Node[] | undefined {
  const node = peel(container);
  if (node.type === 'Identifier') {
    const variable = variableOf(sourceCode, node);
    const made = definitionOf(variable)?.node.parent;
    if (variable === undefined || made?.parent?.type === 'ExportNamedDeclaration') return undefined;
    return variable.references.filter(({ init }) => init !== true).map(({ identifier }) => identifier);
  }
  if (node.type !== 'MemberExpression') return undefined;
  const owner = enclosingClass(node);
  const name = memberName(node);
  if (owner === undefined || name === undefined || !isPrivate(owner, name)) return undefined;
  return find(sourceCode, owner, isMember).filter((one) => isSameContainer(sourceCode, one, node));
}

function isMember(node: Node): node is TSESTree.MemberExpression {
  return node.type === 'MemberExpression';
}
