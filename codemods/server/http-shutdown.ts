/** Where a program shuts its hosting down, the new handler is closed first: that ends each listen stream with its result (T20). */
import { ts } from 'ts-morph';
import type { ClosedWorld } from '../../src/analysis/closed-world.js';
import { createCells } from '../../src/analysis/cells.js';
import { applicationOf } from '../../src/analysis/http-frameworks.js';
import { importedName } from '../../src/analysis/imported-names.js';
import { functionsBehind } from '../../src/analysis/server-entries.js';
import { nodesOfInterest } from '../../src/analysis/nodes-of-interest.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import { transportGroups } from '../../src/analysis/server-transports.js';
import type { SourceUnit } from '../../src/analysis/source-unit.js';
import {
  accessedMember,
  contains,
  dressed,
  enclosingFunction,
  isAsync,
  literalText,
  peel,
  statementListOf,
} from '../../src/analysis/syntax.js';
import { indentAt } from '../../src/codegen/file-style.js';
import { handlerClosing } from '../../src/codegen/mcp-handler.js';
import { HANDLER_MEMBER } from '../../src/protocol/index.js';
import type { FileEdit } from '../codemod.js';
import { seesHandler } from './handler-place.js';
import type { HttpInput } from './http-plan.js';
import { startWithComments } from './statement-edits.js';

/** One place per function that shuts down; none where the handler could not be waited for there. */
export function shutdownEdits({ group, facts, place: { place } }: HttpInput): FileEdit[] {
  const { world } = facts;
  const { tree } = place.unit;
  const shutdowns = new Map<ts.FunctionLikeDeclaration, ts.Node>();
  for (const closing of closingsIn(tree, group, world)) {
    const owner = shutdownAround(closing);
    if (owner === undefined || shutdowns.has(owner) || !seesHandler(place, closing, world)) continue;
    shutdowns.set(owner, closing);
  }
  return [...shutdowns].flatMap(([owner, closing]) => closeIn(owner, closing, place.name, place.unit));
}

/** What closes the one HTTP server of a file, and on a signal the sessions; in the order of the text. */
function closingsIn(tree: ts.SourceFile, group: ServerGroup, world: ClosedWorld): ts.CallExpression[] {
  const calls = callsIn(tree);
  const closings = calls.filter(
    (call) => accessedMember(peel(call.expression))?.member === HANDLER_MEMBER.close,
  );
  const listening = calls.filter((call) => isListening(call, world));
  const holders = listening.length === 1 ? listening.flatMap((call) => holdersOf(call, world)) : [];
  const cells = createCells(world);
  const accesses = new Set<ts.Node>(
    [...group.members, ...transportGroups(world).flatMap(({ values }) => values.members)].flatMap(
      ({ member, access }) => (member === HANDLER_MEMBER.close ? [access] : []),
    ),
  );
  const signalled = signalHandlers(tree, world);
  return closings.filter((call) => {
    const callee = peel(call.expression);
    if (accesses.has(callee)) return signalled.some((owner) => contains(owner, call));
    const { expression } = callee as ts.PropertyAccessExpression;
    return cells.of(expression).some((cell) => holders.includes(cell));
  });
}

function callsIn(tree: ts.SourceFile): ts.CallExpression[] {
  return nodesOfInterest(tree).operations.filter((node) => ts.isCallExpression(node));
}

/** `app.listen(3000)`, `createServer(…)`, `serve(…)`: what makes an HTTP server. */
function isListening(call: ts.CallExpression, world: ClosedWorld): boolean {
  const accessed = accessedMember(peel(call.expression));
  if (accessed?.member === 'listen')
    return applicationOf(accessed.access.expression, world)?.framework === 'express';
  const imported = importedName(call.expression, world);
  return imported !== undefined && SERVER_MODULES.test(imported.module) && SERVER_MAKERS.has(imported.name);
}

const SERVER_MODULES = /^(?:(?:node:)?https?2?|@hono\/node-server)$/;
const SERVER_MAKERS: ReadonlySet<string> = new Set(['createServer', 'createSecureServer', 'serve']);

/** What keeps the result of a call, also of `createServer(…).listen(…)`. */
function holdersOf(call: ts.CallExpression, world: ClosedWorld): readonly ts.Node[] {
  const { parent } = dressed(call);
  const chained = accessedMember(parent);
  if (chained?.member === 'listen' && ts.isCallExpression(parent.parent))
    return holdersOf(parent.parent, world);
  if (ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent)) return [parent];
  return ts.isBinaryExpression(parent) ? createCells(world).of(parent.left) : [];
}

/** The functions that run when the process is told to end. */
function signalHandlers(tree: ts.SourceFile, world: ClosedWorld): ts.Node[] {
  return callsIn(tree).flatMap((call) => (isOnSignal(call) ? functionsBehind(world, call.arguments[1]) : []));
}

/** `process.on('SIGTERM', …)` */
function isOnSignal(call: ts.CallExpression): call is ts.CallExpression & {
  readonly arguments: readonly [ts.Expression, ts.Expression];
} {
  return (
    /^process\s*\.\s*(?:on|once)$/.test(call.expression.getText()) &&
    /^SIG(?:TERM|INT|HUP)$/.test(literalText(call.arguments[0]) ?? '') &&
    call.arguments.length === 2
  );
}

/** The function that shuts down: not the one that a promise is made with, nor the callback of a loop. */
function shutdownAround(closing: ts.Node): ts.FunctionLikeDeclaration | undefined {
  let owner = enclosingFunction(closing);
  while (owner !== undefined && isPartOfStatement(owner)) owner = enclosingFunction(owner);
  const isBody = owner !== undefined && 'body' in owner && owner.body !== undefined;
  return isBody ? (owner as ts.FunctionLikeDeclaration) : undefined;
}

/** `new Promise((resolve) => server.close(resolve))`, `all.forEach((one) => one.close())` */
function isPartOfStatement(owner: ts.Node): boolean {
  const argument = dressed(owner);
  const { parent } = argument;
  if (ts.isNewExpression(parent)) return parent.expression.getText() === 'Promise';
  const accessed = ts.isCallExpression(parent) ? accessedMember(peel(parent.expression)) : undefined;
  return accessed !== undefined && ['forEach', 'map'].includes(accessed.member);
}

function closeIn(
  owner: ts.FunctionLikeDeclaration,
  closing: ts.Node,
  handler: string,
  unit: SourceUnit,
): FileEdit[] {
  const { text, style, file, tree } = unit;
  const reason = 'the streams of listens end with their result';
  const isAbrupt = !isAsync(owner) && endsAbruptly(owner);
  const isMadeAsync = isAbrupt && canBeAsync(owner);
  if (isAbrupt && !isMadeAsync) return [];
  const close = handlerClosing(handler, isAsync(owner) || isMadeAsync);
  const body = owner.body;
  if (body === undefined) return [];
  const edits: FileEdit[] = isMadeAsync
    ? [{ file, start: owner.getStart(tree), end: owner.getStart(tree), text: 'async ', reason }]
    : [];
  if (!ts.isBlock(body)) {
    const start = body.getStart(tree);
    if (text[start] === '(') return [];
    return [
      ...edits,
      {
        file,
        start,
        end: body.end,
        text: `{ ${close}; ${text.slice(start, body.end)}${style.semicolon} }`,
        reason,
      },
    ];
  }
  const statement = body.statements.find((one) => contains(one, closing));
  if (statement === undefined || statementListOf(statement) === undefined) return [];
  const start = startWithComments(statement, unit);
  const line = `${close}${style.semicolon}${style.eol}${indentAt(text, start)}`;
  return [...edits, { file, start, end: start, text: line, reason }];
}

/** A function that is written where a signal's handler is wanted: what it returns is asked by nobody. */
function canBeAsync(owner: ts.Node): boolean {
  const argument = dressed(owner);
  return (
    (ts.isArrowFunction(owner) || ts.isFunctionExpression(owner)) &&
    ts.isCallExpression(argument.parent) &&
    isOnSignal(argument.parent)
  );
}

/** What follows breaks streams off that are still being ended. */
function endsAbruptly(owner: ts.Node): boolean {
  return callsIn(owner.getSourceFile()).some(
    (call) =>
      contains(owner, call) &&
      /\b(?:closeAllConnections|destroy|process\s*\.\s*exit)$/.test(call.expression.getText()),
  );
}
