/** The edits that make a POST of `subscriptions/listen` of a request that opens a GET stream. */
import type { Edit } from '../../src/codegen/edit.js';
import { indentAt, quoted } from '../../src/codegen/file-style.js';
import {
  listenHeaders,
  listenMessage,
  listenPostOptions,
  type ListenText,
} from '../../src/codegen/raw-listen.js';
import { ACCEPT_BOTH, HEADER } from '../../src/protocol/index.js';
import { bindingOf, referencesTo } from './bindings.js';
import type { EraQuestion } from './era.js';
import type { GetStream } from './get-streams.js';
import {
  isMixed,
  LEGACY_HEADERS,
  partNamed,
  spellingOf,
  type HeaderPart,
  type HeaderSet,
} from './headers.js';
import { hasComments, propertyRemovals, statementRemoval } from './text-edits.js';
import { calleeName, child, isMember, list, nameOf, peel, receiverOf, type Node } from './tree.js';
import { propertyOf } from './values.js';
import { callsOf, functionAround, type WireModule } from './wire-module.js';

/** Edits, or what keeps them from being certain. */
export type Rewriting = { readonly edits: readonly Edit[] } | { readonly obstacle: string };

const REASON = 'the stream is opened by subscriptions/listen';

const CONTENT_TYPE = 'content-type';

/** Headers that the request gets anew. */
const REPLACED = new Set(
  [HEADER.accept, HEADER.protocolVersion, HEADER.method, CONTENT_TYPE].map((name) => name.toLowerCase()),
);

/** The edits for a stream that is opened on 2026 connections alone. */
export function listenEdits(module: WireModule, stream: GetStream, listen: ListenText): Rewriting {
  const parts = readable(stream);
  if ('obstacle' in parts) return parts;
  const { request } = stream;
  switch (request.library) {
    case 'axios':
      return axiosEdits(module, parts, stream, listen);
    case 'http':
      return httpEdits(module, parts, stream, listen);
    case 'got':
      return calleeName(request.call) === 'get'
        ? withName(request.call, 'post', optionsEdits(module, parts, listen, { hasMethod: false }))
        : optionsEdits(module, parts, listen, {});
    default:
      return optionsEdits(module, parts, listen, {});
  }
}

/** The edit that opens the one or the other, as the module asks for the era. */
export function forkEdits(
  module: WireModule,
  stream: GetStream,
  listen: ListenText,
  { node, era }: EraQuestion,
): Rewriting {
  const parts = readable(stream);
  if ('obstacle' in parts) return parts;
  const { object, headers } = parts;
  if (stream.request.library === 'axios' || stream.request.library === 'http')
    return { obstacle: 'its client needs another call for a POST' };
  if (!headers.isInline || hasComments(module, object))
    return { obstacle: 'its headers are not written out in its options' };
  const options = printedOptions(module, parts, listen, {});
  const question = module.textOf(node);
  const [start, end] = [object.start, object.end];
  return {
    edits:
      era === 'modern'
        ? [{ start, end: start, text: `${question} ? ${options} : `, reason: REASON }]
        : [
            { start, end: start, text: `${question} ? `, reason: REASON },
            { start: end, end, text: ` : ${options}`, reason: REASON },
          ],
  };
}

interface Parts {
  readonly object: Node;
  readonly headers: HeaderSet;
}

function readable({ request, headers }: GetStream): Parts | { readonly obstacle: string } {
  const { options } = request;
  const argument = options === undefined ? undefined : peel(options.argument);
  if (options === undefined || argument !== options.object)
    return { obstacle: 'its options are put together elsewhere' };
  if (headers === undefined) return { obstacle: 'its headers are put together elsewhere' };
  const mixed = headers.parts.find((part) => isMixed(part, LEGACY_HEADERS) || isMixed(part, REPLACED));
  if (mixed !== undefined) return { obstacle: 'what it spreads into its headers holds several at once' };
  const twice = headers.parts.find(
    ({ kind, names }) => kind === 'spread' && names.some((name) => REPLACED.has(name)),
  );
  if (twice !== undefined) return { obstacle: 'its headers depend on a condition' };
  return { object: options.object, headers };
}

interface Form {
  readonly body?: 'body' | 'data' | 'none';
  readonly hasMethod?: boolean;
}

/** Keeps the layout where there is one; what stands on one line is written anew. */
function optionsEdits(module: WireModule, parts: Parts, listen: ListenText, form: Form): Rewriting {
  const { object, headers } = parts;
  const isLaidOut = module.textOf(object).includes('\n');
  const headersLaidOut = !headers.isInline || module.textOf(headers.literal).includes('\n');
  if (isLaidOut && headersLaidOut) return inPlace(module, parts, listen, form);
  if (hasComments(module, object)) return { obstacle: 'a comment in its options would be lost' };
  if (headers.isInline)
    return {
      edits: [
        {
          start: object.start,
          end: object.end,
          text: printedOptions(module, parts, listen, form),
          reason: REASON,
        },
      ],
    };
  const headerEdits = editsOfHeaders(module, headers);
  if (headerEdits === undefined)
    return { obstacle: 'its headers are set in a way that cannot be undone for sure' };
  return { edits: [...headerEdits, reprinted(module, object, listen, form)] };
}

/** The options on lines of their own, with the headers as they are named. */
function reprinted(module: WireModule, object: Node, listen: ListenText, form: Form): Edit {
  const { style, text } = module;
  const indent = indentAt(text, object.start);
  const inner = indent + style.indent;
  const lines = list(object, 'properties').flatMap((property) => {
    const name = nameOf(child(property, 'key'));
    if (name === 'method') return [];
    return name === 'headers'
      ? [module.textOf(property), ...bodyOf(listen, form, inner, module)]
      : [module.textOf(property)];
  });
  const method = form.hasMethod === false ? [] : [`method: ${quoted('POST', style)}`];
  const printed = ['{', ...[...method, ...lines].map((line) => `${inner}${line},`), `${indent}}`].join(
    style.eol,
  );
  return { start: object.start, end: object.end, text: printed, reason: REASON };
}

function bodyOf(
  listen: ListenText,
  { body = 'body' }: Form,
  indent: string,
  { style }: WireModule,
): string[] {
  if (body === 'none') return [];
  const message = listenMessage(listen, indent, style);
  return [body === 'data' ? `data: ${message}` : `body: JSON.stringify(${message})`];
}

function printedOptions(
  module: WireModule,
  { object, headers }: Parts,
  listen: ListenText,
  form: Form,
): string {
  const isKept = ({ names }: HeaderPart): boolean =>
    !names.some((name) => LEGACY_HEADERS.has(name) || REPLACED.has(name));
  const kept = headers.parts.filter(isKept);
  const texts = (kind: HeaderPart['kind']): string[] =>
    kept.filter((part) => part.kind === kind).map(({ node }) => module.textOf(node));
  const options = list(object, 'properties').filter((property) => {
    const name = nameOf(child(property, 'key'));
    return name !== 'headers' && name !== 'method';
  });
  return listenPostOptions(
    listen,
    {
      spreads: texts('spread'),
      headers: texts('property'),
      options: options.map((property) => module.textOf(property)),
    },
    indentAt(module.text, object.start),
    module.style,
    { ...form, spell: (name) => spellingOf(module, name) },
  );
}

/** Edits property by property: comments, order and layout stay. */
function inPlace(module: WireModule, { object, headers }: Parts, listen: ListenText, form: Form): Rewriting {
  const headerEdits = editsOfHeaders(module, headers);
  const holder = propertyOf(module, object, 'headers');
  const [first] = list(object, 'properties');
  if (headerEdits === undefined || holder === undefined || first === undefined)
    return { obstacle: 'its headers are set in a way that cannot be undone for sure' };
  const { style, text } = module;
  const indent = indentAt(text, first.start);
  const edits: Edit[] = [...headerEdits];
  const method = propertyOf(module, object, 'method');
  const verb = child(method, 'value');
  const post = quoted('POST', style);
  if (verb !== undefined) edits.push({ start: verb.start, end: verb.end, text: post, reason: REASON });
  else if (form.hasMethod !== false)
    edits.push({
      start: first.start,
      end: first.start,
      text: `method: ${post},${style.eol}${indent}`,
      reason: REASON,
    });
  for (const body of bodyOf(listen, form, indent, module))
    edits.push({ start: holder.end, end: holder.end, text: `,${style.eol}${indent}${body}`, reason: REASON });
  return { edits };
}

/** The edits of a literal of headers and of what is set behind it; undefined where one of them is not plain. */
function editsOfHeaders(module: WireModule, headers: HeaderSet): Edit[] | undefined {
  const { style, text } = module;
  const accept = partNamed(headers, HEADER.accept);
  if (accept?.kind !== 'property' || accept.value === undefined) return undefined;
  const edits: Edit[] = [
    { start: accept.value.start, end: accept.value.end, text: quoted(ACCEPT_BOTH, style), reason: REASON },
  ];
  const isLaidOut = module.textOf(headers.literal).includes('\n');
  const gap = isLaidOut ? `${style.eol}${indentAt(text, accept.node.start)}` : ' ';
  const missing: string[] = [];
  const wanted = listenHeaders(style, (name) => spellingOf(module, name));
  for (const [index, name] of [
    CONTENT_TYPE,
    HEADER.accept,
    HEADER.protocolVersion,
    HEADER.method,
  ].entries()) {
    const header = wanted[index];
    if (header === undefined || name === HEADER.accept) continue;
    const present = partNamed(headers, name);
    if (present === undefined) missing.push(`${header.name}: ${header.value},${gap}`);
    else if (present.value !== undefined && module.textOf(present.value) !== header.value)
      edits.push({ start: present.value.start, end: present.value.end, text: header.value, reason: REASON });
  }
  const { start } = accept.node;
  if (missing.length > 0) edits.push({ start, end: start, text: missing.join(''), reason: REASON });
  const legacy = legacyParts(headers);
  const inLiteral = new Set(legacy.filter(({ kind }) => kind !== 'statement').map(({ node }) => node));
  edits.push(...propertyRemovals(module, headers.literal, inLiteral, 'a header of 2025 sessions'));
  for (const { kind, node } of legacy) {
    const edit =
      kind === 'statement' ? statementRemoval(module, node, 'a header of 2025 sessions') : undefined;
    if (kind === 'statement' && edit === undefined) return undefined;
    if (edit !== undefined) edits.push(edit);
  }
  return edits;
}

/** What sends headers of the legacy era. */
export function legacyParts({ parts }: HeaderSet): HeaderPart[] {
  return parts.filter(({ names }) => names.some((name) => LEGACY_HEADERS.has(name)));
}

/** `axios.get(url, config)` becomes `axios.post(url, message, config)`. */
function axiosEdits(module: WireModule, parts: Parts, { request }: GetStream, listen: ListenText): Rewriting {
  const { call, url } = request;
  if (calleeName(call) !== 'get' || url === undefined)
    return optionsEdits(module, parts, listen, { body: 'data' });
  const { object } = parts;
  const message = listenMessage(listen, indentAt(module.text, object.start), module.style);
  const options = optionsEdits(module, parts, listen, { body: 'none', hasMethod: false });
  if ('obstacle' in options) return options;
  return withName(call, 'post', {
    edits: [
      { start: object.start, end: object.start, text: `${message}, `, reason: REASON },
      ...options.edits,
    ],
  });
}

/** `http.request(url, options, onResponse)` and the `end()` that sends it. */
function httpEdits(module: WireModule, parts: Parts, { request }: GetStream, listen: ListenText): Rewriting {
  const { call } = request;
  const options = optionsEdits(module, parts, listen, { body: 'none' });
  if ('obstacle' in options) return options;
  const body = `JSON.stringify(${listenMessage(listen, indentAt(module.text, call.start), module.style)})`;
  if (calleeName(call) === 'get') {
    // `get` ends its request by itself.
    const sent = { start: call.end, end: call.end, text: `.end(${body})`, reason: REASON };
    return isMember(child(call, 'callee'))
      ? withName(call, 'request', { edits: [...options.edits, sent] })
      : { obstacle: 'a request by the imported get() ends without a body' };
  }
  const end = endOf(module, call);
  if (end === undefined) return { obstacle: 'where the request is sent is not in sight' };
  return { edits: [...options.edits, { start: end.end - 1, end: end.end - 1, text: body, reason: REASON }] };
}

/** The one `end()` without arguments of a request, in the function that makes it. */
function endOf(module: WireModule, call: Node): Node | undefined {
  const holder = module.parentOf(call);
  const id =
    holder?.type === 'VariableDeclarator'
      ? child(holder, 'id')
      : holder?.type === 'AssignmentExpression'
        ? child(holder, 'left')
        : undefined;
  const binding = id === undefined ? undefined : bindingOf(module, id);
  const places = new Set(binding === undefined ? [call] : referencesTo(module, binding));
  const owner = functionAround(module, call);
  const [end, ...others] = callsOf(module).filter((one) => {
    const receiver = receiverOf(one);
    const isOfRequest = receiver !== undefined && places.has(receiver);
    return isOfRequest && calleeName(one) === 'end' && functionAround(module, one) === owner;
  });
  return others.length === 0 && end !== undefined && list(end, 'arguments').length === 0 ? end : undefined;
}

/** The rewriting together with another method's name. */
function withName(call: Node, name: string, rewriting: Rewriting): Rewriting {
  const property = child(child(call, 'callee'), 'property');
  if ('obstacle' in rewriting || property === undefined) return rewriting;
  return {
    edits: [...rewriting.edits, { start: property.start, end: property.end, text: name, reason: REASON }],
  };
}
