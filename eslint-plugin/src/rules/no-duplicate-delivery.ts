/** One change, told twice or to the wrong one: two paths of delivery for one kind, both live (T29, T44). */
import {
  CLIENT_MEMBER,
  CLIENT_OPTION,
  FILTER_FIELDS,
  METHOD,
  type FilterField,
} from '../../../src/protocol/index.js';
import { enclosingFunction, type Node, type SourceCode } from '../ast.js';
import { clientCreations, isSameClient, type SdkClient } from '../detection/clients.js';
import { eraAt, forksByEra } from '../detection/era.js';
import { areExclusive } from '../detection/exclusion.js';
import { askedFor, wishesOf } from '../detection/filters.js';
import { getStreams } from '../detection/get-streams.js';
import { handlersOfClient, listChangedOption } from '../detection/handlers.js';
import { listensOf, type Listen } from '../detection/listens.js';
import { canRunOnModern, eraReaching } from '../detection/raw-era.js';
import { urisOf } from '../detection/uris.js';
import { callsOf } from '../detection/uses.js';
import { messagesOf } from '../detection/wire.js';
import { createRule, type CheckedFile } from '../rule.js';

type Message = 'handlerAndOption' | 'listenAndOption' | 'bothPaths' | 'overlap';

interface Options {
  overlapping: boolean;
}

type File = CheckedFile<Message, Options>;

export const noDuplicateDelivery = createRule<Message, Options>({
  name: 'no-duplicate-delivery',
  docs: {
    description: 'Disallow two live paths of delivery for one kind of change',
    level: 'advice',
    recommended: 'error',
    migration: true,
    strict: { overlapping: true },
  },
  type: 'problem',
  options: {
    overlapping: {
      type: 'boolean',
      default: false,
      description: 'Also report two streams of one client, open at a time, whose filters share something.',
    },
  },
  tokens: [CLIENT_OPTION.listChanged, CLIENT_MEMBER.listen],
  messages: {
    handlerAndOption: `The client's \`${CLIENT_OPTION.listChanged}.{{option}}\` sets a handler for the same notification, and there is one handler for each: set before connect() this one is replaced, set after it silences \`${CLIENT_OPTION.onChanged}\`. Keep one of the two.`,
    listenAndOption: `The client's \`${CLIENT_OPTION.listChanged}.{{option}}\` opens a stream for the same changes by itself, so each of them arrives twice. Leave \`{{field}}\` out of this filter, or the option out of the client.`,
    bothPaths: `This file also {{old}}, and nothing keeps the two to an era each: a peer of both eras delivers every change twice. Send each behind a question for the era.`,
    overlap: `\`{{what}}\` is asked for by another stream of this client that is still open, so its handler runs twice for every change. Open one stream for the whole filter, or close the other one first.`,
  },
  check(file) {
    for (const client of clientCreations(file.sourceCode))
      if (client.era !== 'legacy') checkOption(file, client);
    checkPaths(file);
    if (file.options.overlapping) checkOverlaps(file);
  },
});

function checkOption({ sourceCode, report }: File, client: SdkClient): void {
  const option = listChangedOption(sourceCode, client);
  if (option === undefined || option.kinds.size === 0) return;
  for (const { node, fields } of handlersOfClient(sourceCode, client)) {
    const field = fields.find((one) => option.kinds.has(one));
    if (field === undefined || node.type !== 'CallExpression') continue;
    report({
      node: node.arguments[0] ?? node,
      messageId: 'handlerAndOption',
      data: { option: optionOf(field) },
    });
  }
  // Who looks at the stream of the option, or connects in a way that opens none, knows of both.
  if (/\bautoOpenedSubscription\b|\bprior\b/.test(sourceCode.text)) return;
  for (const { certain, fields } of askedFor(sourceCode, client).wishes)
    for (const [field, property] of fields)
      if (certain.has(field) && option.kinds.has(field) && eraAt(sourceCode, property) !== 'legacy')
        report({ node: property, messageId: 'listenAndOption', data: { option: optionOf(field), field } });
}

function optionOf(field: FilterField): string {
  return FILTER_FIELDS.find((row) => row.field === field)?.listChangedOption ?? field;
}

/** Raw code alone: with the SDK's client, the call of the wrong era rejects. */
function checkPaths({ sourceCode, report }: File): void {
  const messages = messagesOf(sourceCode).filter(({ isWhole }) => isWhole);
  const listen = messages.find(({ kind }) => kind === 'listen');
  if (listen === undefined || eraReaching(sourceCode, listen.object) !== undefined) return;
  const isLive = (node: Node): boolean => canRunOnModern(sourceCode, node, false);
  const subscribe = messages.find(({ method }) => method === METHOD.resourcesSubscribe);
  const old = getStreams(sourceCode).some(({ call }) => isLive(call))
    ? 'opens the GET stream'
    : subscribe !== undefined && isLive(subscribe.object)
      ? `sends ${METHOD.resourcesSubscribe}`
      : undefined;
  if (old === undefined || forksByEra(sourceCode)) return;
  report({ node: listen.object, messageId: 'bothPaths', data: { old } });
}

function checkOverlaps({ sourceCode, report }: File): void {
  const listens = listensOf(sourceCode);
  for (const [index, later] of listens.entries()) {
    const earlier = listens.slice(0, index).filter((one) => isOpenBeside(one, later));
    const shared = earlier.flatMap((one) => sharedWish(sourceCode, one, later) ?? [])[0];
    if (shared !== undefined)
      report({ node: shared.node, messageId: 'overlap', data: { what: shared.what } });
  }
}

/** Two streams of one client, opened one after the other in one function, of which the first is not closed in between. */
function isOpenBeside(earlier: Listen, later: Listen): boolean {
  if (!isSameClient(earlier.client, later.client)) return false;
  if (enclosingFunction(earlier.call) !== enclosingFunction(later.call)) return false;
  if (areExclusive(earlier.call, later.call)) return false;
  const { subscription } = earlier;
  // Out of sight, or ended, somebody may have closed it.
  return subscription.escapes.length === 0 && !endsBefore(earlier, later.call);
}

function endsBefore({ subscription }: Listen, node: Node): boolean {
  const ends = [
    ...callsOf(subscription, 'close'),
    ...subscription.members.filter(({ name }) => name === 'closed').map((member) => member.node),
  ];
  return ends.some(({ range }) => range[0] < node.range[0]);
}

function sharedWish(
  sourceCode: SourceCode,
  earlier: Listen,
  later: Listen,
): { node: Node; what: string } | undefined {
  const first = wishesOf(sourceCode, earlier.filterObject);
  const second = wishesOf(sourceCode, later.filterObject);
  for (const field of second.certain) {
    const property = second.fields.get(field);
    const other = first.fields.get(field);
    if (property === undefined || other === undefined || !first.certain.has(field)) continue;
    if (field !== 'resourceSubscriptions') return { node: property, what: field };
    const known = new Set(urisOf(sourceCode, other.value).map(({ uri }) => uri));
    const same = urisOf(sourceCode, property.value).find(({ uri }) => known.has(uri));
    if (same !== undefined) return { node: same.node, what: same.uri };
  }
  return undefined;
}
