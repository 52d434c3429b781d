/** The listen requests that a file sends by hand: over HTTP with `fetch`, to a child process, or through what it has. */
import {
  parentOf,
  memberCall,
  memberName,
  peel,
  dressed,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { definitionOf, importOf, variableOf } from './bindings.js';
import { nodesOf } from './nodes.js';
import { isStringify, messagesIn, messagesOf, type WireMessage } from './wire.js';
import { entryOf, plainObject } from './wire-values.js';

/** A `fetch` whose options are in sight. */
export interface Post {
  readonly call: TSESTree.CallExpression;
  readonly options: TSESTree.ObjectExpression;
}

/** A `subscriptions/listen` request, spelt out. */
export interface ListenRequest extends WireMessage {
  /** The `fetch` that sends it, exactly as it is spelt. */
  readonly post: Post | undefined;
  /** The write to a child's standard input that sends it. */
  readonly pipe: TSESTree.CallExpression | undefined;
  /** Whether nobody can add to it: its text is made where it is spelt. */
  readonly isSentAsSpelt: boolean;
  /** Whether it is one of several in an array. */
  readonly isBatched: boolean;
}

const known = new WeakMap<SourceCode, readonly ListenRequest[]>();

/** The listen requests that a file spells. */
export function listenRequests(sourceCode: SourceCode): readonly ListenRequest[] {
  const found = known.get(sourceCode) ?? collect(sourceCode);
  known.set(sourceCode, found);
  return found;
}

function collect(sourceCode: SourceCode): ListenRequest[] {
  const listens = messagesOf(sourceCode).filter(({ kind }) => kind === 'listen');
  if (listens.length === 0) return [];
  const posts = postsOf(sourceCode).map((post) => ({ post, sent: messagesOfPost(sourceCode, post) }));
  const pipes = pipesOf(sourceCode).map((pipe) => ({
    pipe,
    sent: pipe.arguments.flatMap((argument) => messagesIn(sourceCode, argument)),
  }));
  const texts = nodesOf(sourceCode)
    .of('CallExpression')
    .filter(isStringify)
    .flatMap(({ arguments: [argument] }) => (argument === undefined ? [] : messagesIn(sourceCode, argument)));
  return listens.flatMap((message): ListenRequest[] => {
    const sends = ({ sent }: { sent: readonly WireMessage[] }): boolean =>
      sent.some(({ object }) => object === message.object);
    const isSentAsSpelt = sends({ sent: texts });
    if (!message.isWhole && !isSentAsSpelt) return [];
    return [
      {
        ...message,
        post: posts.find(sends)?.post,
        pipe: pipes.find(sends)?.pipe,
        isSentAsSpelt,
        isBatched: parentOf(dressed(message.object))?.type === 'ArrayExpression',
      },
    ];
  });
}

/** The calls of the platform's `fetch`, or of a package that stands for it, with options in sight. */
export function postsOf(sourceCode: SourceCode): Post[] {
  return nodesOf(sourceCode)
    .of('CallExpression')
    .flatMap((call): Post[] => {
      if (!isFetch(sourceCode, call.callee)) return [];
      const options = plainObject(sourceCode, call.arguments[1]);
      return options === undefined ? [] : [{ call, options }];
    });
}

/** Not any function of that name: a wrapper may add headers. */
function isFetch(sourceCode: SourceCode, callee: Node): boolean {
  const node = peel(callee);
  if (node.type === 'MemberExpression')
    return (
      memberName(node) === 'fetch' &&
      node.object.type === 'Identifier' &&
      ['globalThis', 'window', 'self'].includes(node.object.name)
    );
  if (node.type !== 'Identifier') return false;
  const imported = importOf(sourceCode, node);
  if (imported !== undefined) return ['undici', 'node-fetch', 'cross-fetch'].includes(imported.module);
  return node.name === 'fetch' && definitionOf(variableOf(sourceCode, node)) === undefined;
}

function messagesOfPost(sourceCode: SourceCode, { options }: Post): WireMessage[] {
  const body = entryOf(sourceCode, options, 'body');
  return body === undefined || body === 'unknown' ? [] : messagesIn(sourceCode, body);
}

/** `child.stdin.write(…)` */
function pipesOf(sourceCode: SourceCode): TSESTree.CallExpression[] {
  return nodesOf(sourceCode)
    .of('CallExpression')
    .filter((call) => {
      const called = memberCall(call);
      const receiver = called === undefined ? undefined : peel(called.receiver);
      const name =
        receiver?.type === 'MemberExpression'
          ? memberName(receiver)
          : receiver?.type === 'Identifier'
            ? receiver.name
            : undefined;
      return called?.name === 'write' && name === 'stdin';
    });
}
