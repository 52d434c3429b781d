/** What of 2025's resumption a file uses: tokens and event stores of the SDK, the header and event ids of raw code. */
import {
  CLIENT_TRANSPORTS,
  EVENT_STORE_TYPE,
  HEADER,
  MEDIA_TYPE,
  REQUEST_OPTION,
  SERVER_OPTION,
  SERVER_TRANSPORTS,
} from '../../../src/protocol/index.js';
import {
  keyName,
  memberCall,
  memberName,
  parentOf,
  peel,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { importOf } from './bindings.js';
import { clientCalls, type SdkClient } from './clients.js';
import { headerName } from './http-headers.js';
import { nodesOf } from './nodes.js';
import { originOf } from './origins.js';
import { isMcpPlace } from './raw-era.js';
import { sdkSymbolOf, servingsOf } from './servers.js';
import { objectOf, stringOf } from './values.js';

/** One use of resumption. */
export interface Resumption {
  readonly kind: 'token' | 'eventStore' | 'headerSent' | 'headerRead' | 'eventId';
  readonly node: Node;
  /** As it is written. */
  readonly name: string;
  /** The client whose request it is; a token given to a transport has none. */
  readonly client?: SdkClient;
  /** Whether it hangs on what serves one era: `legacy` for a transport wired by hand. */
  readonly era?: 'legacy' | 'modern';
}

/** All of a file, each once. */
export function resumptionsOf(sourceCode: SourceCode): Resumption[] {
  const found = [
    ...tokens(sourceCode),
    ...eventStores(sourceCode),
    ...headersSent(sourceCode),
    ...headersRead(sourceCode),
    ...eventIds(sourceCode),
  ];
  const seen = new Set<Node>();
  return found.filter(({ node }) => !seen.has(node) && seen.add(node));
}

const TOKENS: readonly string[] = [REQUEST_OPTION.resumptionToken, REQUEST_OPTION.onresumptiontoken];

/** `client.callTool(params, { resumptionToken })`, `transport.send(message, { onresumptiontoken })` */
function tokens(sourceCode: SourceCode): Resumption[] {
  if (!TOKENS.some((token) => sourceCode.text.includes(token))) return [];
  const ofClients = clientCalls(sourceCode).flatMap(({ call, client }) =>
    properties(sourceCode, call.arguments, TOKENS).map((property): Resumption => {
      return { kind: 'token', node: property, name: keyName(property) ?? '', client };
    }),
  );
  const ofTransports = nodesOf(sourceCode)
    .of('CallExpression')
    .flatMap((call) => {
      const called = memberCall(call);
      if (called?.name !== 'send' || !isHttpTransport(sourceCode, called.receiver)) return [];
      return properties(sourceCode, call.arguments, TOKENS).map((property): Resumption => {
        return { kind: 'token', node: property, name: keyName(property) ?? '' };
      });
    });
  return [...ofClients, ...ofTransports];
}

function isHttpTransport(sourceCode: SourceCode, expression: Node): boolean {
  const imported = originOf(sourceCode, expression)?.imported;
  return CLIENT_TRANSPORTS.some(
    (row) =>
      row.kind === 'http' &&
      row.name === imported?.name &&
      (imported.module === row.v1Module || imported.module === row.v2Module),
  );
}

/** An event store that is given to a transport or a handler, and a class that is one. */
function eventStores(sourceCode: SourceCode): Resumption[] {
  const { eventStore } = SERVER_OPTION;
  if (!sourceCode.text.includes(eventStore) && !sourceCode.text.includes(EVENT_STORE_TYPE)) return [];
  const nodes = nodesOf(sourceCode);
  const ofTransports = nodes.of('NewExpression').flatMap((creation) => {
    const imported = importOf(sourceCode, creation.callee);
    const isTransport = SERVER_TRANSPORTS.some(
      (row) =>
        row.name === imported?.name &&
        (('v1Module' in row && row.v1Module === imported.module) ||
          ('v2Module' in row && row.v2Module === imported.module)),
    );
    return isTransport
      ? properties(sourceCode, creation.arguments, [eventStore]).map((property) => store(property, 'legacy'))
      : [];
  });
  const ofHandlers = servingsOf(sourceCode).flatMap(({ call }) =>
    properties(sourceCode, call.arguments, [eventStore]).map((property) => store(property, 'modern')),
  );
  const classes = (['ClassDeclaration', 'ClassExpression'] as const)
    .flatMap((type) => [...nodes.of(type)])
    .flatMap((one) => one.implements)
    .filter(({ expression }) => sdkSymbolOf(sourceCode, expression) === EVENT_STORE_TYPE)
    .map((node) => store(node, 'legacy'));
  return [...ofTransports, ...ofHandlers, ...classes];

  function store(node: Node, era: 'legacy' | 'modern'): Resumption {
    return { kind: 'eventStore', node, name: node.type === 'Property' ? eventStore : EVENT_STORE_TYPE, era };
  }
}

/** The properties of some names in the object literals among arguments. */
function properties(
  sourceCode: SourceCode,
  args: readonly Node[],
  names: readonly string[],
): TSESTree.Property[] {
  return args
    .flatMap((argument) => objectOf(sourceCode, argument)?.properties ?? [])
    .filter((property) => property.type === 'Property')
    .filter((property) => names.includes(keyName(property) ?? ''));
}

const LAST_EVENT_ID = HEADER.lastEventId.toLowerCase();

/** `{ 'Last-Event-ID': last }` in an object of headers, `headers.set('last-event-id', last)` */
function headersSent(sourceCode: SourceCode): Resumption[] {
  const nodes = nodesOf(sourceCode);
  const written = nodes.of('Property').filter((property) => {
    if (property.parent.type !== 'ObjectExpression') return false;
    // A table of header names or of allowed headers sends nothing.
    const value = peel(property.value);
    const isData = value.type === 'Literal' || isFunctionLike(value);
    return !isData && isHeader(headerName(sourceCode, property)) && isInHeaders(property.parent);
  });
  const assigned = nodes.of('AssignmentExpression').filter(({ left }) => {
    const target = peel(left);
    if (target.type !== 'MemberExpression' || !holdsHeaders(sourceCode, target.object)) return false;
    return isHeader(target.computed ? stringOf(sourceCode, target.property) : memberName(target));
  });
  const set = nodes.of('CallExpression').filter((call) => {
    const called = memberCall(call);
    return (
      (called?.name === 'set' || called?.name === 'append') &&
      call.arguments.length === 2 &&
      holdsHeaders(sourceCode, called.receiver) &&
      isHeader(stringOf(sourceCode, call.arguments[0]))
    );
  });
  return [...written, ...assigned, ...set]
    .filter((node) => isMcpPlace(sourceCode, node))
    .map((node) => ({ kind: 'headerSent', node, name: HEADER.lastEventId }));
}

function isFunctionLike({ type }: Node): boolean {
  return type === 'FunctionExpression' || type === 'ArrowFunctionExpression' || type === 'ObjectExpression';
}

/** `req.headers['last-event-id']`, `headers.get('last-event-id')`, `req.header('Last-Event-ID')` */
function headersRead(sourceCode: SourceCode): Resumption[] {
  const nodes = nodesOf(sourceCode);
  const members = nodes.of('MemberExpression').filter((member) => {
    if (!member.computed || !holdsHeaders(sourceCode, member.object)) return false;
    if (!isHeader(stringOf(sourceCode, member.property))) return false;
    const parent = parentOf(member);
    return parent?.type !== 'AssignmentExpression' || parent.left !== member;
  });
  const calls = nodes.of('CallExpression').filter((call) => {
    const called = memberCall(call);
    return (
      (called?.name === 'get' || called?.name === 'header') &&
      holdsHeaders(sourceCode, called.receiver) &&
      call.arguments.length === 1 &&
      isHeader(stringOf(sourceCode, call.arguments[0]))
    );
  });
  return [...members, ...calls]
    .filter((node) => isMcpPlace(sourceCode, node))
    .map((node) => ({ kind: 'headerRead', node, name: HEADER.lastEventId }));
}

function isHeader(name: string | undefined): boolean {
  return name?.toLowerCase() === LAST_EVENT_ID;
}

/** Names of what has headers: `headers`, `req`, `request.headers`, the context of a framework. */
function holdsHeaders(sourceCode: SourceCode, holder: Node): boolean {
  return /headers?\b|\breq(?:uest)?\b|\bres(?:ponse)?\b|\bctx\b|\bc\b/i.test(sourceCode.getText(holder));
}

/** Whether an object literal is one of headers: by the property or name that it goes to. */
function isInHeaders(object: Node): boolean {
  for (let at = parentOf(object); at !== undefined; at = parentOf(at)) {
    switch (at.type) {
      case 'SpreadElement':
      case 'ObjectExpression':
      case 'LogicalExpression':
      case 'ConditionalExpression':
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'ReturnStatement':
      case 'BlockStatement':
        continue;
      case 'Property':
      case 'PropertyDefinition':
      case 'MethodDefinition':
        return /headers?$/i.test(keyName(at) ?? '');
      case 'VariableDeclarator':
        return at.id.type === 'Identifier' && /headers?$/i.test(at.id.name);
      case 'AssignmentExpression':
        return at.left.type === 'MemberExpression' && /headers?$/i.test(memberName(at.left) ?? '');
      case 'NewExpression':
        return at.callee.type === 'Identifier' && at.callee.name === 'Headers';
      case 'FunctionDeclaration':
        return /headers?$/i.test(at.id?.name ?? '');
      default:
        return false;
    }
  }
  return false;
}

/** `id: ${eventId}\ndata: …` in a text that is written to an event stream. */
function eventIds(sourceCode: SourceCode): Resumption[] {
  if (!sourceCode.text.includes(MEDIA_TYPE.eventStream)) return [];
  return nodesOf(sourceCode)
    .of('TemplateLiteral')
    .filter((template) => {
      const parts = template.quasis.map(({ value }) => value.cooked ?? '');
      const isField = parts.some((part, index) => index < parts.length - 1 && /(?:^|\n)id: ?$/.test(part));
      return isField && /(?:^|\n)(?:data|event): ?/.test(parts.join('')) && isMcpPlace(sourceCode, template);
    })
    .map((node) => ({ kind: 'eventId', node, name: 'id' }));
}
