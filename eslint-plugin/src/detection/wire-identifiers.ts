/** Values that stand where the id of a listen request must stand, and certainly are something else. */
import { memberCall, memberName, peel, type Node, type SourceCode } from '../ast.js';
import { importOf } from './bindings.js';
import { resolve } from './values.js';

/** How a value differs from the id of a request. */
export type WrongId = 'random' | 'stringified';

const MAKERS = new Set(['randomUUID', 'nanoid', 'uuid', 'uuidv4', 'v4', 'v7', 'ulid', 'createId']);

/** Why a value cannot be the id of the request; undefined where it may be. */
export function wrongId(sourceCode: SourceCode, node: Node): WrongId | undefined {
  const value = resolve(sourceCode, node);
  if (value.type === 'TemplateLiteral') {
    const [first, last] = value.quasis;
    return value.expressions.length === 1 && first?.value.raw === '' && last?.value.raw === ''
      ? 'stringified'
      : undefined;
  }
  if (value.type !== 'CallExpression') return undefined;
  const called = memberCall(value);
  if (called?.name === 'toString' && value.arguments.length === 0 && namesId(called.receiver))
    return 'stringified';
  const [argument] = value.arguments;
  if (value.callee.type === 'Identifier' && value.callee.name === 'String' && argument !== undefined)
    return namesId(argument) ? 'stringified' : undefined;
  return isMaker(sourceCode, value.callee) ? 'random' : undefined;
}

/** `id`, `request.id`, `body.id` */
function namesId(node: Node): boolean {
  const inner = peel(node);
  const name =
    inner.type === 'Identifier'
      ? inner.name
      : inner.type === 'MemberExpression'
        ? memberName(inner)
        : undefined;
  return name !== undefined && /^id$|Id$/.test(name);
}

function isMaker(sourceCode: SourceCode, callee: Node): boolean {
  const imported = importOf(sourceCode, callee);
  if (imported !== undefined)
    return MAKERS.has(imported.name) || /^(?:uuid|nanoid|ulid)$/.test(imported.module);
  const node = peel(callee);
  // globalThis.crypto.randomUUID()
  return node.type === 'MemberExpression' && memberName(node) === 'randomUUID';
}
