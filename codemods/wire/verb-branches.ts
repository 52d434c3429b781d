/** Routes and branches by which a server's own code serves the GET stream of 2025 and ends its sessions by DELETE (R10). */
import { HEADER, MEDIA_TYPE, METHOD } from '../../src/protocol/index.js';
import type { Edit } from '../../src/codegen/edit.js';
import { quoted } from '../../src/codegen/file-style.js';
import { lastName } from './declared-names.js';
import { listenPlace } from './legacy-leg.js';
import { functionNamed } from './named-functions.js';
import { codeOf, isTest, withoutComments } from './server-evidence.js';
import type { ServerFinding, ServerOutcome } from './server-finding.js';
import type { Surroundings } from './surroundings.js';
import { child, isCall, isFunction, list, nameOf, peel, stringOf, within, type Node } from './tree.js';
import { callsOf, type WireModule } from './wire-module.js';

type Verb = 'GET' | 'DELETE';

/** Code that runs for one verb. */
interface VerbCode {
  readonly verb: Verb;
  readonly node: Node;
  /** Its statements, or the one expression that it is. */
  readonly body: readonly Node[];
  /** The function that a request comes to: its parameters say what an answer looks like. */
  readonly handler: Node | undefined;
}

/** The branches and routes of a module that belong to the stream of 2025. */
export function findVerbBranches(module: WireModule, surroundings: Surroundings): ServerFinding[] {
  if (isTest(module) || !/mcp/i.test(codeOf(module) + module.path)) return [];
  const all = verbCodes(module).map((code) => ({ code, text: reachedText(module, code.body) }));
  const streams = all.filter(({ code, text }) => code.verb === 'GET' && servesStream(module, text, code));
  if (streams.length === 0) return [];
  const ends = all.filter(({ code, text }) => code.verb === 'DELETE' && endsSession(module, text, code));
  return [...streams, ...ends]
    .sort((one, other) => one.code.node.start - other.code.node.start)
    .map(({ code }): ServerFinding => ({
      shape: 'R10',
      node: code.node,
      confidence: 'likely',
      outcome: (target) => (target === 'dual' ? KEPT[code.verb] : modernOutcome(module, code, surroundings)),
    }));
}

const KEPT: Readonly<Record<Verb, ServerOutcome>> = {
  GET: { kind: 'kept', reason: 'clients of 2025 open this stream; for 2026-07-28 the answer to GET is 405' },
  DELETE: {
    kind: 'kept',
    reason: 'clients of 2025 end their sessions by it; for 2026-07-28 the answer to DELETE is 405',
  },
};

function modernOutcome(module: WireModule, code: VerbCode, surroundings: Surroundings): ServerOutcome {
  const at = listenPlace(module, surroundings);
  if (at === undefined)
    return {
      kind: 'marked',
      text: `answer 405 here as soon as ${METHOD.subscriptionsListen} is answered: until then this is how ${code.verb === 'GET' ? 'changes reach anybody' : 'sessions end'}`,
    };
  const edit = refusal(module, code);
  return edit === undefined
    ? { kind: 'marked', text: `answer 405 here: ${METHOD.subscriptionsListen} takes the place of this` }
    : {
        kind: 'rewritten',
        edits: [edit],
        reason: `${code.verb} answers 405: ${METHOD.subscriptionsListen} is answered at ${at}`,
      };
}

function verbCodes(module: WireModule): VerbCode[] {
  return [...routes(module), ...comparisons(module), ...cases(module), ...exported(module)];
}

/** `app.get('/mcp', handler)`, `app.route({ method: 'GET', url, handler })` */
function routes(module: WireModule): VerbCode[] {
  return callsOf(module).flatMap((call): VerbCode[] => {
    const name = lastName(child(call, 'callee'));
    const given = list(call, 'arguments');
    if (name === 'get' || name === 'delete') {
      const handler = functionOf(module, given.at(-1));
      const isRoute =
        given.length > 1 &&
        (stringOf(given[0])?.startsWith('/') ?? /path|url|endpoint|route/i.test(lastName(given[0]) ?? ''));
      return isRoute && handler !== undefined
        ? [handlerCode(name === 'get' ? 'GET' : 'DELETE', call, handler)]
        : [];
    }
    const [options] = given;
    if (name !== 'route' || options?.type !== 'ObjectExpression') return [];
    const entry = (key: string): Node | undefined =>
      list(options, 'properties').find((one) => nameOf(child(one, 'key')) === key);
    const verb = stringOf(child(entry('method'), 'value'));
    const written = entry('handler');
    const handler = functionOf(module, isFunction(written) ? written : child(written, 'value'));
    return isVerb(verb) && handler !== undefined ? [handlerCode(verb, call, handler)] : [];
  });
}

function isVerb(text: string | undefined): text is Verb {
  return text === 'GET' || text === 'DELETE';
}

function handlerCode(verb: Verb, node: Node, handler: Node): VerbCode {
  const body = child(handler, 'body');
  return {
    verb,
    node,
    body: body?.type === 'BlockStatement' ? list(body, 'body') : body === undefined ? [] : [body],
    handler,
  };
}

/** `if (request.method === 'GET') …` */
function comparisons(module: WireModule): VerbCode[] {
  return module.of('IfStatement').flatMap((node): VerbCode[] => {
    const verb = comparedVerb(child(node, 'test'));
    const branch = child(node, 'consequent');
    if (verb === undefined || branch === undefined) return [];
    const body = branch.type === 'BlockStatement' ? list(branch, 'body') : [branch];
    return [{ verb, node, body, handler: module.ancestorsOf(node).find(isFunction) }];
  });
}

function comparedVerb(test: Node | undefined): Verb | undefined {
  const node = test === undefined ? undefined : peel(test);
  if (node?.type === 'LogicalExpression' && node['operator'] === '&&')
    return comparedVerb(child(node, 'left')) ?? comparedVerb(child(node, 'right'));
  if (node?.type !== 'BinaryExpression' || !/^===?$/.test(String(node['operator']))) return undefined;
  const sides = [child(node, 'left'), child(node, 'right')];
  const verb = sides.map((side) => stringOf(side)).find(isVerb);
  return sides.some((side) => lastName(side) === 'method') ? verb : undefined;
}

/** `switch (request.method) { case 'GET': … }` */
function cases(module: WireModule): VerbCode[] {
  return [...within(module.program)].flatMap((node): VerbCode[] => {
    if (node.type !== 'SwitchStatement' || lastName(child(node, 'discriminant')) !== 'method') return [];
    return list(node, 'cases').flatMap((one): VerbCode[] => {
      const verb = stringOf(child(one, 'test'));
      const body = list(one, 'consequent');
      return isVerb(verb) && body.length > 0
        ? [{ verb, node: one, body, handler: module.ancestorsOf(node).find(isFunction) }]
        : [];
    });
  });
}

/** `export async function GET(request) { … }`, `export const GET = …` */
function exported(module: WireModule): VerbCode[] {
  return list(module.program, 'body').flatMap((statement): VerbCode[] => {
    const declaration =
      statement.type === 'ExportNamedDeclaration' ? child(statement, 'declaration') : undefined;
    if (declaration === undefined) return [];
    const name = nameOf(child(declaration, 'id'));
    if (isFunction(declaration) && isVerb(name)) return [handlerCode(name, statement, declaration)];
    return list(declaration, 'declarations').flatMap((one): VerbCode[] => {
      const verb = nameOf(child(one, 'id'));
      const handler = functionOf(module, child(one, 'init'));
      return isVerb(verb) && handler !== undefined ? [handlerCode(verb, statement, handler)] : [];
    });
  });
}

/** A function, written here or under its name elsewhere in the module, also inside of what wraps it. */
function functionOf(module: WireModule, node: Node | undefined): Node | undefined {
  if (node === undefined) return undefined;
  const inner = peel(node);
  if (isFunction(inner)) return inner;
  if (isCall(inner)) {
    const given = list(inner, 'arguments');
    const isBound = lastName(child(inner, 'callee')) === 'bind';
    return functionOf(module, isBound ? child(child(inner, 'callee'), 'object') : given.at(-1));
  }
  return functionNamed(module, lastName(inner));
}

/** The text of a branch, with that of the functions of the module which it calls. */
function reachedText(module: WireModule, body: readonly Node[]): string {
  const seen = new Set<Node>();
  const texts: string[] = [];
  const queue = [...body];
  for (let at = queue.pop(); at !== undefined && texts.length < 12; at = queue.pop()) {
    texts.push(module.textOf(at));
    for (const node of within(at)) {
      if (!isCall(node)) continue;
      const called = functionNamed(module, lastName(child(node, 'callee')));
      if (called === undefined || seen.has(called)) continue;
      seen.add(called);
      queue.push(called);
    }
  }
  return withoutComments(texts.join('\n'));
}

const EVENT_STREAM = new RegExp(
  `${MEDIA_TYPE.eventStream.replace('/', '\\/')}|EVENT_?STREAM|SSE_[A-Z]*(?:ACCEPT|HEADER|TYPE)|[sS]tream(?:SSE|Sse)|createS[sS][eE]Stream|startS[sS][eE]`,
);
const SESSION = new RegExp(`${HEADER.sessionId}|SESSION_?ID_?HEADER|HEADERS?\\.\\w*SESSION`, 'i');
const MCP_PATH = /['"`][^'"`\s]*\/mcp\/?['"`]|mcp_?(?:path|endpoint|url)/i;

/** Whether a branch writes the event stream of an MCP session. */
function servesStream(module: WireModule, text: string, code: VerbCode): boolean {
  if (!EVENT_STREAM.test(text) || isSdk(text)) return false;
  // The other transport, HTTP+SSE: its stream begins by naming the endpoint for messages.
  if (/event:\s*endpoint|['"`]endpoint['"`]/.test(text)) return false;
  return (
    isOfSession(module, text, code) ||
    (/json-?rpc/i.test(codeOf(module)) && MCP_PATH.test(headOf(module, code)))
  );
}

/** Whether a branch is about a session, by itself or by what its handler has read before: unless it is on a path of its own. */
function isOfSession(module: WireModule, text: string, code: VerbCode): boolean {
  if (SESSION.test(text)) return true;
  const paths = [...headOf(module, code).matchAll(/['"`](\/[^'"`]*)['"`]/g)].map(([, path]) => path ?? '');
  return (
    code.handler !== undefined &&
    SESSION.test(withoutComments(module.textOf(code.handler))) &&
    paths.every((path) => /mcp/i.test(path))
  );
}

/** What chooses a branch, before its own code begins. */
function headOf(module: WireModule, { node, body: [first] }: VerbCode): string {
  return withoutComments(module.text.slice(node.start, first?.start ?? node.end));
}

/** What the SDK's transports serve is no hand-written stream. */
function isSdk(text: string): boolean {
  return /\.handleRequest\(|SSEServerTransport/.test(text);
}

/** Whether a branch does away with something of a session. */
function endsSession(module: WireModule, text: string, code: VerbCode): boolean {
  return (
    isOfSession(module, text, code) &&
    !isSdk(text) &&
    /\b(?:delete|close|end|terminate|remove|clean_?up|destroy)\w*\(/i.test(text)
  );
}

/** The edit that makes a branch answer 405, where its form is plain. */
function refusal(module: WireModule, { body, handler, node }: VerbCode): Edit | undefined {
  const [first] = body;
  const last = body.at(-1);
  if (first === undefined || last === undefined || handler === undefined || first.type.endsWith('Expression'))
    return undefined;
  const statement = answer405(module, handler, body);
  if (statement === undefined) return undefined;
  const leaves = module.textOf(last).startsWith('return');
  const isBranch = node.type === 'IfStatement' || node.type === 'SwitchCase';
  const lines =
    statement.startsWith('return') || !isBranch || !leaves
      ? [statement]
      : [statement, `return${module.style.semicolon}`];
  const indent = /[ \t]*$/.exec(module.text.slice(0, first.start))?.[0] ?? '';
  return {
    start: first.start,
    end: last.end,
    text: lines.join(`${module.style.eol}${indent}`),
    reason: 'the stream of 2025 is gone',
  };
}

/** How the code around answers: with a `Response`, through node's response, or through Fastify's reply. */
function answer405(module: WireModule, handler: Node, body: readonly Node[]): string | undefined {
  const text = (value: string): string => quoted(value, module.style);
  const end = module.style.semicolon;
  const parameters = list(handler, 'params').map((one) => nameOf(one));
  const reached = reachedText(module, body);
  const [, second] = parameters;
  if (second !== undefined && /^repl?y?$/.test(second) && /\breply\b|\brep\b/.test(reached))
    return `${second}.code(405).header(${text('Allow')}, ${text('POST')}).send()${end}`;
  if (
    second !== undefined &&
    new RegExp(`\\b${second}\\.(?:writeHead|setHeader|write|status|set|end)\\(`).test(reached)
  )
    return `${second}.writeHead(405, { Allow: ${text('POST')} }).end()${end}`;
  const returns = module.textOf(body.at(-1) ?? handler);
  return /\bnew Response\(/.test(reached) && returns.startsWith('return')
    ? `return new Response(null, { status: 405, headers: { Allow: ${text('POST')} } })${end}`
    : undefined;
}
