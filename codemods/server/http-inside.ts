/** The plan for servers whose requests are answered inside a function: `fetch`, Next.js, `node:http`. */
import { ts } from 'ts-morph';
import type { HostedRoute } from '../../src/analysis/http-hosting.js';
import { contains, peel, statementListOf } from '../../src/analysis/syntax.js';
import { indentAt } from '../../src/codegen/file-style.js';
import { fetchBody, fetchFront, joined, nodeFront, type Lines } from '../../src/codegen/http-front.js';
import { handlerStatement, nodeHandlerStatement, NODE_HANDLER_NAME } from '../../src/codegen/mcp-handler.js';
import { freeName } from '../../src/codegen/names.js';
import { HEADER } from '../../src/protocol/index.js';
import type { FileEdit } from '../codemod.js';
import type { Obstacle } from '../obstacle.js';
import { modernLeftovers } from './http-leftovers.js';
import type { HttpInput, Planned } from './http-plan.js';
import { isTakenIn } from './imports.js';
import { workIn } from './route-work.js';
import { sdkNames, type SdkNames } from './sdk-names.js';
import { inFrontOf } from './statement-edits.js';
import { referencesOf } from '../../src/analysis/references.js';
import { shortText } from '../../src/analysis/short-text.js';
import { takesPosts } from '../../src/analysis/http-route.js';
import { nodeGuards, responseGuards } from './validation-guards.js';

/** The statements of a function that answer MCP: behind them nothing else is answered. */
interface Answering {
  readonly routes: readonly HostedRoute[];
  readonly handler: ts.FunctionLikeDeclaration;
  readonly request: string;
  readonly response: string | undefined;
  /** The block that holds all that leads to a transport. */
  readonly block: ts.Block;
  /** The first statement of the block that has to do with sessions, the body or a verb. */
  readonly first: ts.Statement;
}

/** Plans it. */
export function planInside(input: HttpInput): Planned | Obstacle {
  const { hosting } = input.place;
  const answerings = new Map<ts.Node, Answering>();
  for (const hosted of hosting.routes) {
    for (const handler of hosted.handlers) {
      const known = answerings.get(handler);
      const found =
        known === undefined
          ? answeringOf(handler, hosted, input)
          : { ...known, routes: [...known.routes, hosted] };
      if ('text' in found) return found;
      answerings.set(handler, found);
    }
  }
  const all = [...answerings.values()];
  const isServedOnce = input.target === 'modern' || hosting.stateless;
  const work = workObstacle(all, input, isServedOnce);
  if (work !== undefined) return work;
  return isServedOnce ? replaceBodies(all, input) : putFronts(all, input);
}

function answeringOf(
  handler: ts.SignatureDeclaration,
  route: HostedRoute,
  input: HttpInput,
): Answering | Obstacle {
  const { body } = handler as ts.FunctionLikeDeclaration;
  const [request, response] = handler.parameters;
  const isNode = input.place.hosting.style === 'node';
  if (
    body === undefined ||
    !ts.isBlock(body) ||
    request === undefined ||
    !ts.isParameter(request) ||
    !ts.isIdentifier(request.name) ||
    (isNode && (response === undefined || !ts.isIdentifier(response.name)))
  )
    return {
      text: 'the function that answers its requests has no body in braces, or takes its request apart',
      at: handler,
    };
  const leads = leadingNodes(body, input);
  const block = innermostBlock(body, leads);
  const first = block.statements.find(
    (one) => leads.some((node) => contains(one, node)) || isAboutSessions(one, request.name.getText()),
  );
  if (first === undefined) return { text: 'what leads to its transport cannot be followed', at: handler };
  const read = earlierRead(body, first, request.name.getText());
  if (read !== undefined && !isNode)
    return { text: 'the body is read before it is known that the request is for this server', at: read };
  return {
    routes: [route],
    handler: handler as ts.FunctionLikeDeclaration,
    request: request.name.text,
    response: response !== undefined && ts.isIdentifier(response.name) ? response.name.text : undefined,
    block,
    first,
  };
}

/** The calls in a body that are, or lead to, `handleRequest`. */
function leadingNodes(body: ts.Block, { place: { hosting }, facts }: HttpInput): ts.Node[] {
  const calls = hosting.functions.flatMap((one) => referencesOf(facts.world).callsOf(one));
  return [...hosting.handled, ...calls].filter((call) => contains(body, call));
}

function innermostBlock(body: ts.Block, nodes: readonly ts.Node[]): ts.Block {
  let found = body;
  const visit = (node: ts.Node): void => {
    if (
      ts.isBlock(node) &&
      !isTryBlock(node) &&
      nodes.every((one) => contains(node, one)) &&
      nodes.length > 0
    )
      found = node;
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  return found;
}

/** What stands in a `try` is answered by its `catch`, too. */
function isTryBlock(node: ts.Block): boolean {
  return ts.isTryStatement(node.parent);
}

const SESSION = new RegExp(HEADER.sessionId, 'i');

/** Whether a statement reads the session, the body or the verb. */
function isAboutSessions(statement: ts.Statement, request: string): boolean {
  const text = statement.getText();
  return SESSION.test(text) || readsBody(text, request) || new RegExp(`\\b${request}\\.method\\b`).test(text);
}

function readsBody(text: string, request: string): boolean {
  return new RegExp(
    `\\b${request}\\s*\\.\\s*(?:json|text|arrayBuffer|formData|blob|bytes)\\s*\\(|\\b${request}\\.body\\b`,
  ).test(text);
}

function earlierRead(body: ts.Block, first: ts.Statement, request: string): ts.Node | undefined {
  const before = body.getSourceFile().text.slice(body.getStart(), first.getStart());
  return readsBody(before, request) ? body : undefined;
}

function workObstacle(
  all: readonly Answering[],
  { group, facts }: HttpInput,
  isServedOnce: boolean,
): Obstacle | undefined {
  for (const { handler, block, first } of all) {
    const rest = block.statements.filter((one) => one.pos >= first.pos);
    const { check, isAboutCaller, rest: more } = workIn(rest, [...handler.parameters], group, facts.world);
    if (check !== undefined)
      return {
        text: isAboutCaller
          ? `the code of sessions reads who asks (${shortText(check, 40)}): put what follows from it first, so that it is done before the modern handler, too`
          : 'requests are checked between the code of sessions: put that first, so that it is done before the modern handler, too',
        at: check,
      };
    if (isServedOnce && more !== undefined)
      return { text: 'the function does more than keep sessions: that goes when they go', at: more };
  }
  return undefined;
}

interface Made {
  readonly block: Lines;
  readonly serve: string;
  readonly guardsFor: (request: string, response: string | undefined) => string[];
}

function make(input: HttpInput, sdk: SdkNames): Made {
  const { place, validation, target } = input;
  const { unit, name } = place.place;
  const { style } = unit;
  const legacy = target === 'dual' && place.stateless ? 'stateless' : 'reject';
  const lines = [
    handlerStatement({ name, factory: input.factory, legacy, bus: input.bus }, sdk.nameOf, style),
  ];
  if (place.hosting.style !== 'node') {
    return {
      block: lines,
      serve: name,
      guardsFor: (request) => responseGuards(validation, request, sdk.nameOf, style),
    };
  }
  const isTaken = isTakenIn(unit.tree);
  const serve = freeName([legacy === 'stateless' ? 'serveMcp' : NODE_HANDLER_NAME], isTaken);
  lines.push(nodeHandlerStatement(serve, name, sdk.nameOf, style));
  const guards = nodeGuards(validation, sdk.nameOf, isTaken, style);
  lines.push(...guards.lines);
  return {
    block: lines,
    serve,
    guardsFor: (request, response) => guards.callsFor(request, response ?? ''),
  };
}

function putFronts(all: readonly Answering[], input: HttpInput): Planned | Obstacle {
  const { place } = input;
  const { unit } = place.place;
  const sdk = sdkNames(unit);
  const made = make(input, sdk);
  const edits = new Map<ts.Node, FileEdit[]>();
  const posting = all.filter(({ routes }) => routes.some(({ route }) => takesPosts(route)));
  if (posting.length === 0) return { text: 'no route of it takes POST', at: place.place.statement };
  for (const one of posting) {
    const edit =
      place.hosting.style === 'node' ? nodeEdit(one, made, input, sdk) : fetchEdit(one, made, input, sdk);
    if ('at' in edit) return edit;
    const [first] = one.routes;
    if (first !== undefined) edits.set(first.route.node, [edit]);
  }
  const [firstEdit] = edits.values();
  firstEdit?.unshift(inFrontOf(place.place.statement, [made.block], unit, 'the modern handler'));
  return { edits, imports: sdk.needs() };
}

function fetchEdit({ first, request }: Answering, made: Made, { place }: HttpInput, sdk: SdkNames): FileEdit {
  const { style } = place.place.unit;
  const front = { serve: made.serve, guards: made.guardsFor(request, undefined) };
  return before(first, fetchFront(request, front, sdk.nameOf, style), place.place.unit);
}

function before(statement: ts.Statement, lines: Lines, unit: HttpInput['place']['place']['unit']): FileEdit {
  const start = statement.getStart(unit.tree);
  const indent = indentAt(unit.text, start);
  const text = joined(lines, indent, unit.style) + unit.style.eol + indent;
  return { file: unit.file, start, end: start, text, reason: 'modern requests go to the modern handler' };
}

/** Behind the statement that has read the body, since the old transport cannot read it again. */
function nodeEdit(one: Answering, made: Made, input: HttpInput, sdk: SdkNames): FileEdit | Obstacle {
  const { hosting, place } = input.place;
  const bodies = hosting.handled.flatMap((call) =>
    call.arguments[2] === undefined ? [] : [peel(call.arguments[2])],
  );
  const unread: Obstacle = {
    text: 'its transport reads the body itself, and a front that does so leaves nothing for it: read it first, hand it over as the third argument, and run again',
    at: one.routes[0]?.route.node ?? one.handler,
  };
  const [body] = bodies;
  if (body === undefined || !ts.isIdentifier(body) || bodies.some((other) => other.getText() !== body.text))
    return unread;
  const declaration = input.facts.world.checker.getSymbolAtLocation(body)?.valueDeclaration;
  const statement = declaration?.parent.parent;
  if (
    declaration === undefined ||
    !ts.isVariableDeclaration(declaration) ||
    declaration.initializer === undefined ||
    statement === undefined ||
    !ts.isVariableStatement(statement) ||
    !contains(one.block, statement) ||
    !isReachedPlainly(statement, one)
  )
    return unread;
  const next = statementListOf(statement)?.find((other) => other.pos >= statement.end);
  if (next === undefined || one.response === undefined) return unread;
  const front = { serve: made.serve, guards: made.guardsFor(one.request, one.response) };
  const names = { request: one.request, response: one.response, body: body.text };
  return before(next, nodeFront(names, front, sdk.nameOf, place.unit.style), place.unit);
}

/** In the block itself, or in a branch that only the verb decides about. */
function isReachedPlainly(statement: ts.Statement, { block, request }: Answering): boolean {
  if (statement.parent === block) return true;
  const branch = statement.parent.parent;
  return (
    ts.isBlock(statement.parent) &&
    ts.isIfStatement(branch) &&
    branch.parent === block &&
    branch.thenStatement === statement.parent &&
    branch.expression.getText().replace(/["']/g, "'") === `${request}.method === 'POST'`
  );
}

function replaceBodies(all: readonly Answering[], input: HttpInput): Planned | Obstacle {
  const { place } = input;
  const { unit } = place.place;
  const sdk = sdkNames(unit);
  const made = make(input, sdk);
  const edits = new Map<ts.Node, FileEdit[]>();
  const gone: ts.Node[] = [];
  for (const one of all) {
    const rest = one.block.statements.filter((statement) => statement.pos >= one.first.pos);
    const last = rest.at(-1) ?? one.first;
    const [hosted] = one.routes;
    if (hosted === undefined) continue;
    gone.push(...rest);
    const read = place.hosting.style === 'node' ? bodyReadBefore(one, input) : undefined;
    if (typeof read === 'object') return read;
    edits.set(hosted.route.node, [answerEdit(one, last, made, read, input)]);
  }
  const left = modernLeftovers(input, gone, made.block.join('\n'));
  if ('text' in left) return left;
  const [firstEdits] = edits.values();
  firstEdits?.unshift(inFrontOf(place.place.statement, [made.block], unit, 'the modern handler'));
  firstEdits?.push(...left.edits);
  return { edits, imports: sdk.needs() };
}

/** What the body has been read into before; an obstacle where that cannot be known. */
function bodyReadBefore(
  { block, first, request }: Answering,
  { place }: HttpInput,
): string | Obstacle | undefined {
  const before = block.statements.filter((one) => one.pos < first.pos);
  const [body] = place.hosting.handled.flatMap(({ arguments: given }) => given[2]?.getText() ?? []);
  const isDeclared = (name: string): boolean =>
    before.some(
      (one) =>
        ts.isVariableStatement(one) &&
        one.declarationList.declarations.some((each) => each.name.getText() === name),
    );
  if (body !== undefined && isDeclared(body)) return body;
  const taker = before.find((one) => new RegExp(`\\w\\s*\\(\\s*${request}\\b`).test(one.getText()));
  return taker === undefined
    ? undefined
    : { text: 'the body may be read before the modern handler is asked', at: taker };
}

function answerEdit(
  one: Answering,
  last: ts.Statement,
  made: Made,
  body: string | undefined,
  { place }: HttpInput,
): FileEdit {
  const { unit } = place.place;
  const front = { serve: made.serve, guards: made.guardsFor(one.request, one.response) };
  const { semicolon } = unit.style;
  const isWhole = one.block === one.handler.body;
  const lines =
    place.hosting.style === 'node'
      ? [
          ...front.guards.map((guard) => `if (!${guard}) return${semicolon}`),
          `await ${made.serve}(${[one.request, one.response ?? '', ...(body === undefined ? [] : [body])].join(', ')})${semicolon}`,
          ...(isWhole ? [] : [`return${semicolon}`]),
        ]
      : fetchBody(one.request, front, unit.style);
  const start = one.first.getStart(unit.tree);
  const indent = indentAt(unit.text, start);
  return {
    file: unit.file,
    start,
    end: last.end,
    text: joined(lines, indent, unit.style),
    reason: 'the modern handler answers',
  };
}
