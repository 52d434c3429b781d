/** What carries a hand-written server: HTTP, or standard input and output. And what its words say. */
import { keyName, memberName, peel, type Node, type SourceCode } from '../ast.js';
import { constantOf } from './bindings.js';
import { enclosingClass } from './origins.js';
import type { ListenBranch } from './wire-branches.js';

/** The words of some code, without its comments. */
export function wordsOf(sourceCode: SourceCode, ...roots: readonly Node[]): string {
  return roots
    .flatMap((root) => sourceCode.getTokens(root))
    .map(({ value }) => value)
    .join(' ');
}

/** Whether a file serves HTTP. */
export function servesHttp({ text }: SourceCode): boolean {
  return (
    /text\/event-stream|['"](?:node:)?https?['"]|express|fastify|hono|createServer|new Response\b|\bres\.(?:json|write)/.test(
      text,
    ) && !servesStdio(text)
  );
}

/** Whether a file reads standard input and writes standard output. */
export function servesStdio(text: string): boolean {
  return /\bstdin\b/.test(text) && /\bstdout\b/.test(text);
}

/** All code around a branch: its handler, the class that it is in, and what it calls. */
export function surroundings({ handler, region, chosenBy }: ListenBranch): Node[] {
  const owner = enclosingClass(chosenBy);
  return [...(handler === undefined ? [] : [handler]), ...(owner === undefined ? [] : [owner]), ...region];
}

/** Whether a container is a Map, a Set or an array that the file itself makes. */
export function isOwnContainer(sourceCode: SourceCode, container: Node): boolean {
  const node = peel(container);
  const made =
    node.type === 'Identifier'
      ? constantOf(sourceCode, node)
      : node.type === 'MemberExpression' && node.object.type === 'ThisExpression'
        ? fieldOf(node, memberName(node))
        : undefined;
  const value = made === undefined ? undefined : peel(made);
  return (
    value?.type === 'ArrayExpression' ||
    (value?.type === 'NewExpression' &&
      value.callee.type === 'Identifier' &&
      ['Map', 'Set'].includes(value.callee.name))
  );
}

function fieldOf(node: Node, name: string | undefined): Node | undefined {
  for (const member of enclosingClass(node)?.body.body ?? [])
    if (member.type === 'PropertyDefinition' && keyName(member) === name) return member.value ?? undefined;
  return undefined;
}
