/** Functions that connect a client again and leave what it listened to behind. */
import { CLIENT_MEMBER } from '../../../src/protocol/index.js';
import {
  contains,
  enclosingFunction,
  enclosingFunctions,
  keyName,
  parentOf,
  type FunctionNode,
  type SourceCode,
} from '../ast.js';
import { changeStreams } from './change-streams.js';
import { clientCalls, isSameClient, type ClientCall } from './clients.js';
import { listensOf } from './listens.js';
import { nodesOf } from './nodes.js';
import { mentionedIn } from './repeats.js';

const NAMES = /re_?(?:connect|start|spawn|open|establish|vive)|onclose/i;

/** The calls of `connect` that connect again and listen to nothing, while the same client listens elsewhere in the file. */
export function deafReconnects(sourceCode: SourceCode): ClientCall[] {
  const listens = listensOf(sourceCode);
  if (listens.length === 0 || changeStreams(sourceCode).length > 0) return [];
  return clientCalls(sourceCode, CLIENT_MEMBER.connect).filter(({ call, client }) => {
    const around = enclosingFunction(call);
    if (around === undefined || !NAMES.test(functionName(around))) return false;
    const own = listens.filter((listen) => isSameClient(listen.client, client));
    if (own.length === 0) return false;
    const inSight = reachedFrom(sourceCode, around);
    const listensHere = own.some((listen) => inSight.some((one) => contains(one, listen.call)));
    return !listensHere && !callersListen(sourceCode, around, own);
  });
}

/** The name by which a function is declared, or the member that it is assigned to. */
function functionName(declared: FunctionNode): string {
  if (declared.type === 'FunctionDeclaration') return declared.id?.name ?? '';
  const holder = parentOf(declared);
  switch (holder?.type) {
    case 'VariableDeclarator':
      return holder.id.type === 'Identifier' ? holder.id.name : '';
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'Property':
      return keyName(holder) ?? '';
    case 'AssignmentExpression':
      return holder.left.type === 'MemberExpression' && holder.left.property.type === 'Identifier'
        ? holder.left.property.name
        : '';
    default:
      return '';
  }
}

/** A function and those of the file that it leads to. */
function reachedFrom(sourceCode: SourceCode, from: FunctionNode): FunctionNode[] {
  const reached = [from];
  for (const one of reached)
    for (const { declared } of mentionedIn(sourceCode, one))
      if (!reached.includes(declared)) reached.push(declared);
  return reached;
}

/** Whether a function that calls this one listens itself: `await reconnect(); await listen();` */
function callersListen(
  sourceCode: SourceCode,
  declared: FunctionNode,
  listens: readonly ClientCall[],
): boolean {
  const callers = nodesOf(sourceCode)
    .of('CallExpression')
    .flatMap((call) => enclosingFunctions(call))
    .filter(
      (one) =>
        one !== declared && mentionedIn(sourceCode, one).some((mention) => mention.declared === declared),
    );
  return callers.some((caller) =>
    reachedFrom(sourceCode, caller).some((one) => listens.some(({ call }) => contains(one, call))),
  );
}
