/**
 * What the handlers of old routes do besides keeping sessions. A front that stands before them skips it: where it can
 * refuse a request, modern clients would get in without it; where the old routes go, it goes with them.
 */
import { ts } from 'ts-morph';
import {
  accessedMember,
  around,
  isFunction,
  literalText,
  peel,
  propertyName,
} from '../../src/analysis/syntax.js';
import { classifyReceiver } from '../../src/analysis/receivers.js';
import { SERVER, SERVER_TRANSPORT } from '../../src/analysis/subject.js';
import type { ClosedWorld } from '../../src/analysis/closed-world.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';

/** Work that only sessions do not explain. */
export interface RouteWork {
  /** The first place that can refuse a request by what it carries. */
  readonly check: ts.Node | undefined;
  /** Whether that place only reads who asks, for whatever follows from it. */
  readonly isAboutCaller: boolean;
  /** The first place that does something else. */
  readonly rest: ts.Node | undefined;
}

/** Functions that are looked into, from the handler on. */
const DEPTH = 4;

/** Looks at the code of handlers. */
export function workIn(
  roots: readonly ts.Node[],
  requests: readonly ts.ParameterDeclaration[],
  group: ServerGroup,
  world: ClosedWorld,
): RouteWork {
  const looker = createLooker(group, world);
  const carried = new Set(requests.flatMap((parameter) => symbolsOf(parameter.name, world)));
  for (const root of roots) looker.look(root, carried, DEPTH);
  return looker.found();
}

/** Answers by which a handler turns somebody away. */
const REFUSALS: ReadonlySet<string> = new Set(['401', '402', '403', '407', '429']);

/** Methods that read one header. */
const READING = /^(?:get|header|has|entries|keys|values|forEach)$/;

const HEADERS = /(?:^|\.)headers$/;

/** Members of requests that tell who asks. */
const ABOUT_CALLERS: ReadonlySet<string> = new Set([
  'ip',
  'ips',
  'cookies',
  'query',
  'signedCookies',
  'remoteAddress',
  'user',
  'auth',
  'authInfo',
]);

/** Headers about the message and its session; every other one may say who sends it. */
const ABOUT_MESSAGES =
  /^(?:mcp-|accept|content-|last-event-id$|user-agent$|x-request-id$|x-correlation-id$|session_?id$|traceparent$|connection$|cache-control$)/i;

function isWhose(header: string | undefined): boolean {
  return header !== undefined && !ABOUT_MESSAGES.test(header);
}

/** `new URL(req.url, `http://${req.headers.host}`)` */
function isInAddress(node: ts.Node, header: string): boolean {
  const made = around(node, (one) => ts.isNewExpression(one) || ts.isStatement(one));
  return (
    header === 'host' && made !== undefined && ts.isNewExpression(made) && made.expression.getText() === 'URL'
  );
}

/** What is only written into a log. */
function isLogged(node: ts.Node): boolean {
  const call = around(node, (one) => ts.isCallExpression(one) || ts.isStatement(one));
  if (call === undefined || !ts.isCallExpression(call)) return false;
  return namesOfPath(peel(call.expression))?.some((name) => LOGGER.test(name)) === true;
}

/** Names of what only logs. */
const LOGGER = /^(?:console|log|logger|debug|tracer|pino|winston)$/i;

/** Names of methods of requests and responses that decide about access. */
const DECIDING = /auth(?!ority)|permi|allow|verif|valid|forbid|login|limit/i;

/** Functions of the language and of platforms that decide nothing. */
const HARMLESS: ReadonlySet<string> = new Set([
  'String',
  'Number',
  'Boolean',
  'Date',
  'Error',
  'TypeError',
  'URL',
  'URLSearchParams',
  'Headers',
  'Response',
  'Promise',
  'Symbol',
  'RegExp',
  'Map',
  'Set',
  'WeakMap',
  'Array',
  'Object',
  'JSON',
  'Math',
  'Buffer',
  'AbortController',
  'TextDecoder',
  'TextEncoder',
  'structuredClone',
  'randomUUID',
  'uuid',
  'uuidv4',
  'v4',
  'nanoid',
  'crypto',
  'performance',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'queueMicrotask',
  'setImmediate',
  'require',
]);

interface Looker {
  look(node: ts.Node, carried: Set<ts.Symbol>, depth: number): void;
  found(): RouteWork;
}

function createLooker(group: ServerGroup, world: ClosedWorld): Looker {
  let check: ts.Node | undefined;
  let caller: ts.Node | undefined;
  let rest: ts.Node | undefined;
  const seen = new Set<ts.Node>();

  function look(node: ts.Node, carried: Set<ts.Symbol>, depth: number): void {
    if (check !== undefined) return;
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined) {
      if (!isOfSession(node.initializer) && mentions(node.initializer, carried))
        for (const symbol of symbolsOf(node.name, world)) carried.add(symbol);
    } else if (ts.isNumericLiteral(node) && REFUSALS.has(node.text)) {
      check = node;
    } else if (saysWhoAsks(node, carried)) {
      if (!isLogged(node)) caller ??= node;
    } else if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      lookAtCall(node, carried, depth);
    }
    ts.forEachChild(node, (child) => {
      look(child, carried, depth);
    });
  }

  /** `req.headers.authorization`, `req.ip`, `req.get('x-api-key')`: what only whoever asks decides. */
  function saysWhoAsks(node: ts.Node, carried: ReadonlySet<ts.Symbol>): boolean {
    if (ts.isBindingElement(node)) {
      const given = node.parent.parent;
      const initializer = ts.isVariableDeclaration(given) ? given.initializer : undefined;
      return (
        initializer !== undefined &&
        HEADERS.test(initializer.getText()) &&
        mentions(initializer, carried) &&
        isWhose(propertyName(node.propertyName ?? node.name))
      );
    }
    if (!ts.isPropertyAccessExpression(node) && !ts.isElementAccessExpression(node)) {
      const accessed = ts.isCallExpression(node) ? accessedMember(peel(node.expression)) : undefined;
      return (
        accessed !== undefined &&
        READING.test(accessed.member) &&
        isWhose(literalText((node as ts.CallExpression).arguments[0])) &&
        mentions(rootOf(accessed.access), carried)
      );
    }
    const member = accessedMember(node)?.member;
    if (!mentions(rootOf(node), carried)) return false;
    if (!HEADERS.test(node.expression.getText()))
      return member !== undefined && ABOUT_CALLERS.has(member) && !isOfSession(node.parent);
    if (member === undefined) return !isOfSession(node);
    return !READING.test(member) && isWhose(member) && !isInAddress(node, member);
  }

  function lookAtCall(
    call: ts.CallExpression | ts.NewExpression,
    carried: Set<ts.Symbol>,
    depth: number,
  ): void {
    if (isKnown(call, carried)) return;
    const declaration = world.checker.getResolvedSignature(call)?.declaration;
    const body =
      declaration === undefined || ts.isJSDocSignature(declaration) || world.isOurs(declaration)
        ? undefined
        : (declaration as ts.FunctionLikeDeclaration).body;
    if (declaration !== undefined && body !== undefined && depth > 0) {
      if (group.cells.includes(declaration)) return; // the factory
      if (seen.has(declaration)) return;
      seen.add(declaration);
      const inner = new Set(carried);
      (call.arguments ?? []).forEach((argument, index) => {
        const parameter = declaration.parameters[index];
        if (
          parameter !== undefined &&
          ts.isParameter(parameter) &&
          mentions(argument, carried) &&
          !isOfSession(argument)
        )
          for (const symbol of symbolsOf(parameter.name, world)) inner.add(symbol);
      });
      look(body, inner, depth - 1);
      return;
    }
    if (ts.isNewExpression(call) && declaration === undefined && isClassInSight(call)) return;
    rest ??= call;
    if (mentions(call, carried) && !isOfSession(call)) check ??= call;
  }

  function isClassInSight(call: ts.NewExpression): boolean {
    const symbol = world.checker.getTypeAtLocation(call).getSymbol();
    return symbol?.declarations?.some((one) => ts.isClassLike(one)) === true;
  }

  /** Calls of the SDK, of containers, of loggers, and on the request and the response. */
  function isKnown(call: ts.CallExpression | ts.NewExpression, carried: ReadonlySet<ts.Symbol>): boolean {
    const callee = peel(call.expression);
    const declaration = world.checker.getResolvedSignature(call)?.declaration;
    if (declaration !== undefined && world.isOurs(declaration)) return true;
    const names = namesOfPath(callee);
    if (names === undefined) return isFunction(callee);
    const [root = ''] = names;
    if (names.some((name) => LOGGER.test(name)) || HARMLESS.has(root)) return true;
    if (ts.isPropertyAccessExpression(callee) || ts.isElementAccessExpression(callee)) {
      const { expression } = callee;
      for (const subject of [SERVER, SERVER_TRANSPORT])
        if (classifyReceiver(world, expression, subject) === 'instance') return true;
      const member = names.at(-1) ?? '';
      return mentions(rootOf(callee), carried) && !DECIDING.test(member);
    }
    return ts.isIdentifier(callee) && /^(?:next|resolve|reject)$/.test(callee.text);
  }

  function mentions(node: ts.Node, carried: ReadonlySet<ts.Symbol>): boolean {
    if (ts.isIdentifier(node)) {
      const symbol = ts.isShorthandPropertyAssignment(node.parent)
        ? world.checker.getShorthandAssignmentValueSymbol(node.parent)
        : world.checker.getSymbolAtLocation(node);
      return symbol !== undefined && carried.has(symbol);
    }
    return ts.forEachChild(node, (child) => mentions(child, carried) || undefined) === true;
  }

  return { look, found: () => ({ check: check ?? caller, isAboutCaller: check === undefined, rest }) };
}

/** What only tells one session from another. */
function isOfSession(node: ts.Node): boolean {
  const text = node.getText();
  return /session/i.test(text) && !DECIDING.test(text);
}

function symbolsOf(name: ts.BindingName, world: ClosedWorld): ts.Symbol[] {
  if (ts.isIdentifier(name)) {
    const symbol = world.checker.getSymbolAtLocation(name);
    return symbol === undefined ? [] : [symbol];
  }
  return name.elements.flatMap((element) =>
    ts.isBindingElement(element) ? symbolsOf(element.name, world) : [],
  );
}

/** `this.logger.info` as its names; undefined where something else than names is in between. */
function namesOfPath(expression: ts.Expression): string[] | undefined {
  const inner = peel(expression);
  if (ts.isIdentifier(inner)) return [inner.text];
  if (inner.kind === ts.SyntaxKind.ThisKeyword) return ['this'];
  if (ts.isPropertyAccessExpression(inner)) {
    return [...(namesOfPath(inner.expression) ?? []), inner.name.text];
  }
  if (ts.isElementAccessExpression(inner)) return namesOfPath(inner.expression) ?? [''];
  if (ts.isCallExpression(inner)) return namesOfPath(inner.expression);
  return undefined;
}

/** The expression that a chain of members and calls begins with. */
function rootOf(expression: ts.Expression): ts.Expression {
  const inner = peel(expression);
  if (
    ts.isPropertyAccessExpression(inner) ||
    ts.isElementAccessExpression(inner) ||
    ts.isCallExpression(inner)
  )
    return rootOf(inner.expression);
  return inner;
}
