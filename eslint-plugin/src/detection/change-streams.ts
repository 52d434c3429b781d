/** The managed change stream: `changeStream(client)` of the file that `migrate` copies into a package. */
import {
  CHANGE_STREAM_FILE,
  CHANGE_STREAM_FUNCTION,
  CHANGE_STREAM_METHOD,
} from '../../../src/codegen/change-stream.js';
import { memberCall, type SourceCode, type TSESTree } from '../ast.js';
import { importOf } from './bindings.js';
import { clientOf, type SdkClient } from './clients.js';
import { nodesOf } from './nodes.js';
import { originOf } from './origins.js';

/** A call of `changeStream(client)`. */
export interface ChangeStream {
  readonly call: TSESTree.CallExpression;
  readonly client: SdkClient | undefined;
}

/** A call on a managed stream: `subscribe`, `unsubscribe` or `listen`. */
export interface ChangeStreamCall {
  readonly call: TSESTree.CallExpression;
  readonly method: keyof typeof CHANGE_STREAM_METHOD;
  readonly stream: ChangeStream;
}

/** Whether a call makes or finds the managed stream of a client. */
export function isChangeStream(sourceCode: SourceCode, call: TSESTree.CallExpression): boolean {
  const imported = importOf(sourceCode, call.callee);
  return (
    imported?.name === CHANGE_STREAM_FUNCTION &&
    imported.module.split('/').at(-1)?.startsWith(CHANGE_STREAM_FILE) === true
  );
}

/** The managed streams of a file. */
export function changeStreams(sourceCode: SourceCode): ChangeStream[] {
  if (!sourceCode.text.includes(CHANGE_STREAM_FILE)) return [];
  return nodesOf(sourceCode)
    .of('CallExpression')
    .filter((call) => isChangeStream(sourceCode, call))
    .map((call) => describe(sourceCode, call));
}

/** The calls on managed streams in a file. */
export function changeStreamCalls(sourceCode: SourceCode): ChangeStreamCall[] {
  if (!sourceCode.text.includes(CHANGE_STREAM_FILE)) return [];
  return nodesOf(sourceCode)
    .of('CallExpression')
    .flatMap((call): ChangeStreamCall[] => {
      const called = memberCall(call);
      if (called === undefined || !isMethod(called.name)) return [];
      const made = originOf(sourceCode, called.receiver)?.node;
      return made?.type === 'CallExpression' && isChangeStream(sourceCode, made)
        ? [{ call, method: called.name, stream: describe(sourceCode, made) }]
        : [];
    });
}

function describe(sourceCode: SourceCode, call: TSESTree.CallExpression): ChangeStream {
  const [argument] = call.arguments;
  return { call, client: argument === undefined ? undefined : clientOf(sourceCode, argument) };
}

function isMethod(name: string): name is keyof typeof CHANGE_STREAM_METHOD {
  return Object.hasOwn(CHANGE_STREAM_METHOD, name);
}
