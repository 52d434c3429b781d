/** What a module does with the response of an event stream: who looks at its status, and what runs before the first message. */
import type { Edit } from '../../src/codegen/edit.js';
import { NOTIFICATION } from '../../src/protocol/index.js';
import { endOfLineComment, indentAt, quoted } from '../../src/codegen/file-style.js';
import { bindingOf, referencesTo } from './bindings.js';
import type { HttpRequest } from './http-request.js';
import { removal } from './text-edits.js';
import {
  calleeName,
  child,
  contains,
  isCall,
  isFunction,
  isLoop,
  isMember,
  list,
  memberName,
  nameOf,
  numberOf,
  peel,
  receiverOf,
  within,
  type Node,
} from './tree.js';
import { functionAround, siblingsOf, statementAround, type WireModule } from './wire-module.js';

/** The response of a request. */
export interface StreamResponse {
  /** The statement that waits for it. */
  readonly statement: Node;
  /** The places of the name that it has. */
  readonly references: readonly Node[];
}

/** The response by the name that it is given; undefined where it goes elsewhere. */
export function responseOf(module: WireModule, { call }: HttpRequest): StreamResponse | undefined {
  let value = call;
  for (let at = module.parentOf(value); at !== undefined; at = module.parentOf(value)) {
    const isDress = at.type === 'AwaitExpression' || peel(at) !== at;
    if (!isDress) break;
    value = at;
  }
  const declarator = module.parentOf(value);
  if (declarator?.type !== 'VariableDeclarator' || child(declarator, 'init') !== value) return undefined;
  const id = child(declarator, 'id');
  const binding = id?.type === 'Identifier' ? bindingOf(module, id) : undefined;
  if (binding === undefined) return undefined;
  return { statement: statementAround(module, declarator), references: referencesTo(module, binding) };
}

/** What is asked of an answer by those who only want to know whether there is a stream. */
const PROBES = new Set(['status', 'statusText', 'statusCode', 'ok', 'headers', 'json', 'text', 'cancel']);

/** Whether somebody may read the stream: a test that asks for the status alone does not. */
export function isStreamRead(module: WireModule, request: HttpRequest): boolean {
  const response = responseOf(module, request);
  if (response !== undefined)
    return (
      response.references.length === 0 ||
      response.references.some((reference) => !PROBES.has(memberName(module.parentOf(reference)) ?? ''))
    );
  const awaited = module.parentOf(request.call);
  const member = awaited?.type === 'AwaitExpression' ? module.parentOf(awaited) : undefined;
  return member === undefined || !isMember(member) || !PROBES.has(memberName(member) ?? '');
}

/** Comparisons of the response's status with a number. */
export function statusChecks(module: WireModule, { call }: HttpRequest, code: number): Node[] {
  const around = functionAround(module, call) ?? module.program;
  return [...within(around)].flatMap((node) => {
    if (node.type !== 'BinaryExpression') return [];
    const [left, right] = [child(node, 'left'), child(node, 'right')];
    if (left === undefined || right === undefined) return [];
    const isStatus = ['status', 'statusCode'].includes(memberName(peel(left)) ?? nameOf(peel(left)) ?? '');
    return isStatus && numberOf(right) === code ? [right] : [];
  });
}

/** Whether the code looks at all whether it was refused. */
export function looksAtStatus(module: WireModule, { call, library }: HttpRequest): boolean {
  // They throw by themselves.
  if (library === 'axios' || library === 'got') return true;
  const around = functionAround(module, call) ?? module.program;
  return [...within(around)].some((node) => {
    const name = isMember(node) ? memberName(node) : nameOf(node);
    return name === 'ok' || name === 'status' || name === 'statusCode';
  });
}

/** What runs because the response was a success, although no acknowledgment has come: it has to wait for that. */
export interface EarlySuccess {
  readonly statements: readonly Node[];
  /** The declaration of the parsed message behind which it can run; undefined where the loop is not plain. */
  readonly message: { readonly statement: Node; readonly name: string } | undefined;
}

/** The statements between the response and the loop that reads it which have nothing to do with reading. */
export function earlySuccessOf(module: WireModule, request: HttpRequest): EarlySuccess | undefined {
  const response = responseOf(module, request);
  const siblings = response === undefined ? undefined : siblingsOf(module, response.statement);
  if (response === undefined || siblings === undefined) return undefined;
  const declared = new Set(namesDeclaredBy(response.statement));
  const mentions = (statement: Node): boolean =>
    [...within(statement)].some((node) => node.type === 'Identifier' && declared.has(nameOf(node)));
  const statements: Node[] = [];
  for (const statement of siblings.slice(siblings.indexOf(response.statement) + 1)) {
    for (const name of namesDeclaredBy(statement)) declared.add(name);
    if (statement.type === 'VariableDeclaration' || statement.type === 'IfStatement') continue;
    const isReading = hasLoop(statement) || mentions(statement);
    if (isReading)
      return statements.length === 0
        ? undefined
        : { statements, message: hasLoop(statement) ? messageIn(module, statement, request) : undefined };
    if (statement.type === 'ExpressionStatement' && !isLog(statement)) statements.push(statement);
  }
  return undefined;
}

function namesDeclaredBy(statement: Node): (string | undefined)[] {
  return list(statement, 'declarations').flatMap((declarator) =>
    [...within(child(declarator, 'id') ?? declarator)].map(nameOf),
  );
}

function hasLoop(statement: Node): boolean {
  return isLoop(statement) || (statement.type === 'TryStatement' && [...within(statement)].some(isLoop));
}

function isLog(statement: Node): boolean {
  const expression = child(statement, 'expression');
  const call = expression === undefined ? undefined : peel(expression);
  if (call === undefined || !isCall(call)) return false;
  const receiver = receiverOf(call);
  const name = receiver === undefined ? calleeName(call) : (nameOf(receiver) ?? memberName(receiver));
  return /^#?_?(?:console|log|logger|debug)$/i.test(name ?? '');
}

/** `const message = JSON.parse(…);` in the loop itself, the only one. */
function messageIn(module: WireModule, loop: Node, { call }: HttpRequest): EarlySuccess['message'] {
  const around = functionAround(module, call);
  const found = [...within(loop)].flatMap((node) => {
    const id = node.type === 'VariableDeclarator' ? child(node, 'id') : undefined;
    const init = child(node, 'init');
    const value = init === undefined ? undefined : peel(init);
    const name = nameOf(id);
    if (name === undefined || value === undefined || !isCall(value) || calleeName(value) !== 'parse')
      return [];
    if (nameOf(receiverOf(value)) !== 'JSON' || functionAround(module, node) !== around) return [];
    return [{ statement: statementAround(module, node), name }];
  });
  return found.length === 1 ? found[0] : undefined;
}

/** The edits that let it wait for the acknowledgment. */
export function waitEdits(module: WireModule, { statements, message }: EarlySuccess): Edit[] {
  if (message === undefined) return [];
  const { style, text } = module;
  const indent = indentAt(text, message.statement.start);
  const reason = 'the stream is open when it is acknowledged';
  const lines = [
    '',
    `${indent}if (${message.name}.method === ${quoted(NOTIFICATION.acknowledged, style)}) {`,
    ...statements.map(
      ({ start, end }) => `${indent}${style.indent}${text.slice(start, endOfLineComment(text, end))}`,
    ),
    `${indent}}`,
  ];
  return [
    ...statements.map((statement) => removal(module, statement, reason)),
    { start: message.statement.end, end: message.statement.end, text: lines.join(style.eol), reason },
  ];
}

/** Whether moved statements would mean the same in the loop: none leaves the function or waits where it cannot. */
export function canMove(module: WireModule, { statements, message }: EarlySuccess): boolean {
  if (message === undefined) return false;
  return statements.every((statement) =>
    [...within(statement)].every((node) => {
      if (node.type !== 'Identifier') return !isFunction(node) || !contains(node, message.statement);
      const here = bindingOf(module, node);
      return here === undefined || contains(scopeOf(module, here.node), message.statement);
    }),
  );
}

function scopeOf(module: WireModule, declared: Node): Node {
  return (
    module.ancestorsOf(declared).find(({ type }) => type === 'BlockStatement' || type === 'Program') ??
    module.program
  );
}
