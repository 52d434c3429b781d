/** `resources/subscribe` and its opposite exist in the 2025 era alone (T2, T14). */
import {
  CLIENT_MEMBER,
  CLIENT_OPTION,
  ERA_NEGOTIATION,
  LEGACY_ONLY_CALLS,
  METHOD,
} from '../../../src/protocol/index.js';
import { memberCall, memberName, parentOf, peel, type Node, type SourceCode, type TSESTree } from '../ast.js';
import {
  clientOf,
  staysLegacy,
  type ClientCall,
  type ClientEra,
  type SdkClient,
} from '../detection/clients.js';
import { isExpectedToReject } from '../detection/expectations.js';
import { nodesOf } from '../detection/nodes.js';
import { originOf } from '../detection/origins.js';
import { canRunOnModern, eraReaching } from '../detection/raw-era.js';
import { objectOf, propertyOf, stringOf } from '../detection/values.js';
import { INCLUDE_LEGACY, type IncludeLegacy } from '../include-legacy.js';
import { createRule, type CheckedFile } from '../rule.js';
import { forkFixes } from '../suggestions/subscribe-fork.js';

type Message =
  'onModern' | 'onUnknown' | 'legacyClient' | 'rawMessage' | 'legacyMessage' | 'listenWhereModern';

type File = CheckedFile<Message, IncludeLegacy>;

const SUBSCRIPTION_CALLS = LEGACY_ONLY_CALLS.filter(({ role }) => role === 'subscription');
const MEMBERS: readonly string[] = SUBSCRIPTION_CALLS.map(({ member }) => member);
const METHODS: readonly string[] = SUBSCRIPTION_CALLS.map(({ method }) => method);

const INSTEAD = `Where getProtocolEra() is 'modern', open a stream with ${CLIENT_MEMBER.listen}({ resourceSubscriptions: [uri] }) and close it instead`;

export const noResourceSubscribe = createRule<Message, IncludeLegacy>({
  name: 'no-resource-subscribe',
  docs: {
    description: 'Disallow resource subscriptions of the 2025 era where the connection can be a modern one',
    level: 'MUST',
    recommended: 'error',
    migration: true,
  },
  type: 'problem',
  hasSuggestions: true,
  options: INCLUDE_LEGACY,
  tokens: [...MEMBERS, ...METHODS],
  messages: {
    onModern: `On a modern connection, which this client negotiates, \`{{what}}\` rejects with ${ERA_NEGOTIATION.methodNotSupported}. ${INSTEAD}; keep this call for the legacy one.`,
    onUnknown: `This package negotiates the modern era, where \`{{what}}\` rejects with ${ERA_NEGOTIATION.methodNotSupported}. ${INSTEAD}; keep this call for the legacy one.`,
    legacyClient: `\`{{what}}\` exists in the 2025 era alone: it rejects with ${ERA_NEGOTIATION.methodNotSupported} as soon as this client opts in to the modern one. ${INSTEAD}.`,
    rawMessage: `A modern peer does not know \`{{what}}\` and answers -32601. Send \`${METHOD.subscriptionsListen}\` with the URIs in \`params.notifications.resourceSubscriptions\`, and keep this message for legacy peers.`,
    legacyMessage: `\`{{what}}\` exists in the 2025 era alone. In the modern one, \`${METHOD.subscriptionsListen}\` with the URIs in \`params.notifications.resourceSubscriptions\` takes its place.`,
    listenWhereModern: `Listen where the connection is modern, and throw where the server declines the URI.`,
  },
  check(file) {
    for (const called of subscriptionCalls(file)) checkCall(file, called);
    for (const message of rawMessages(file)) checkMessage(file, message);
    if (file.options.includeLegacy) for (const mention of mentions(file)) checkMention(file, mention);
  },
});

interface SubscriptionCall {
  readonly call: TSESTree.CallExpression;
  readonly what: string;
  readonly era: ClientEra;
  readonly client: SdkClient | undefined;
  /** The same, where it is one of the client's own methods. */
  readonly onClient: ClientCall | undefined;
}

/** `client.subscribeResource(…)`, `client.request({ method: 'resources/subscribe' })`, and both on wrappers by setting. */
function subscriptionCalls({ sourceCode, settings }: File): SubscriptionCall[] {
  const { wrappers } = settings;
  return nodesOf(sourceCode)
    .of('CallExpression')
    .flatMap((call): SubscriptionCall[] => {
      const called = memberCall(call);
      if (called === undefined) return [];
      const method = called.name === CLIENT_MEMBER.request ? methodOf(call.arguments[0]) : undefined;
      if (method === undefined && !MEMBERS.includes(called.name)) return [];
      const client = clientOf(sourceCode, called.receiver);
      const era = client?.era ?? (isWrapper(called.receiver) ? 'unknown' : undefined);
      if (era === undefined) return [];
      return [
        {
          call,
          what: method ?? `${called.name}()`,
          era,
          client,
          onClient: client === undefined || method !== undefined ? undefined : { ...called, client },
        },
      ];
    });

  function methodOf(argument: Node | undefined): string | undefined {
    const message = objectOf(sourceCode, argument);
    const property = message === undefined ? undefined : propertyOf(message, 'method');
    const method =
      property === undefined || property === 'unknown' ? undefined : stringOf(sourceCode, property.value);
    return method !== undefined && METHODS.includes(method) ? method : undefined;
  }

  function isWrapper(receiver: Node): boolean {
    const imported = wrappers.length === 0 ? undefined : originOf(sourceCode, receiver)?.imported;
    return imported !== undefined && (wrappers.includes(imported.module) || wrappers.includes(imported.name));
  }
}

function checkCall(file: File, { call, what, era, client, onClient }: SubscriptionCall): void {
  const { sourceCode, report, options, settings } = file;
  const reached = eraReaching(sourceCode, call);
  if (reached === 'legacy' || isExpectedToReject(call)) return;
  const canBeModern = era === 'dual' || era === 'modern' || reached === 'modern';
  if (canBeModern) {
    const suggest =
      onClient === undefined
        ? []
        : forkFixes(sourceCode, onClient, reached ?? era).map((fix) => ({
            messageId: 'listenWhereModern' as const,
            fix,
          }));
    report({ node: call, messageId: 'onModern', data: { what }, suggest });
  } else if (client !== undefined && staysLegacy(sourceCode, client)) {
    return; // nobody means to move it
  } else if (settings.target === 'modern' || options.includeLegacy)
    report({ node: call, messageId: 'legacyClient', data: { what } });
  else if (era === 'unknown' && optsInElsewhere(file))
    report({ node: call, messageId: 'onUnknown', data: { what } });
}

/** The methods where they are not called: asked for (`if (client.subscribeResource)`), bound, handed on. */
function mentions({ sourceCode }: File): TSESTree.MemberExpression[] {
  return nodesOf(sourceCode)
    .of('MemberExpression')
    .filter((node) => {
      const name = memberName(node);
      if (name === undefined || !MEMBERS.includes(name)) return false;
      const parent = parentOf(node);
      const isCalled = parent?.type === 'CallExpression' && parent.callee === node;
      const isWritten = parent?.type === 'AssignmentExpression' && parent.left === node;
      return !isCalled && !isWritten;
    });
}

function checkMention({ sourceCode, report }: File, node: TSESTree.MemberExpression): void {
  const client = clientOf(sourceCode, node.object);
  if (client === undefined || staysLegacy(sourceCode, client)) return;
  if (eraReaching(sourceCode, node) !== undefined) return;
  report({ node, messageId: 'legacyClient', data: { what: memberName(node) ?? '' } });
}

/** A client from elsewhere may be one that another file of the package opts in. */
function optsInElsewhere({ otherFiles, sourceCode }: File): boolean {
  if (sourceCode.text.includes(CLIENT_MEMBER.getProtocolEra)) return false;
  const optsIn = new RegExp(
    `\\b${CLIENT_OPTION.versionNegotiation}\\b[^;]{0,80}\\b(?:${CLIENT_OPTION.auto}|${CLIENT_OPTION.pin})\\b`,
  );
  const asks = new RegExp(`\\b${CLIENT_MEMBER.getProtocolEra}\\b`);
  // Where the package asks for the era, callers may keep this call to the legacy one.
  return otherFiles?.some(optsIn) === true && !otherFiles.some(asks);
}

interface RawMessage {
  readonly node: Node;
  readonly method: string;
}

/** What only a sender of raw messages writes: a whole message, or method and parameters given to a function that sends. */
function rawMessages({ sourceCode }: File): RawMessage[] {
  const whole = nodesOf(sourceCode)
    .of('ObjectExpression')
    .flatMap((object): RawMessage[] => {
      const property = propertyOf(object, 'method');
      if (property === undefined || property === 'unknown') return [];
      const method = subscriptionMethod(property.value);
      const isSent =
        propertyOf(object, 'jsonrpc') !== undefined ||
        (propertyOf(object, 'params') !== undefined && isGivenToSender(sourceCode, object));
      return method !== undefined && isSent ? [{ node: property.value, method }] : [];
    });
  const apart = nodesOf(sourceCode)
    .of('CallExpression')
    .flatMap(({ callee, arguments: [name, params] }): RawMessage[] => {
      const method = name === undefined ? undefined : subscriptionMethod(name);
      if (name === undefined || method === undefined || params?.type !== 'ObjectExpression') return [];
      return isSender(callee) && propertyOf(params, 'uri') !== undefined ? [{ node: name, method }] : [];
    });
  return [...whole, ...apart];

  function subscriptionMethod(node: Node): string | undefined {
    const method = stringOf(sourceCode, node);
    return method !== undefined && METHODS.includes(method) ? method : undefined;
  }
}

/** `sendRequest({ method, params })`; what is sent through a client of the SDK is reported as its call. */
function isGivenToSender(sourceCode: SourceCode, object: Node): boolean {
  const call = parentOf(object);
  if (call?.type !== 'CallExpression' || !isSender(call.callee)) return false;
  const called = memberCall(call);
  return called === undefined || clientOf(sourceCode, called.receiver) === undefined;
}

const SENDER = /^(?:call|rpc|request|send(?:Request|Message)?|invoke)$/;

function isSender(callee: Node): boolean {
  const node = peel(callee);
  const name =
    node.type === 'Identifier' ? node.name : node.type === 'MemberExpression' ? memberName(node) : undefined;
  return name !== undefined && SENDER.test(name);
}

function checkMessage(file: File, { node, method }: RawMessage): void {
  const { sourceCode, report, options, settings } = file;
  const includesLegacy = options.includeLegacy || settings.target === 'modern';
  if (!canRunOnModern(sourceCode, node, includesLegacy)) return;
  const isModern = canRunOnModern(sourceCode, node, false) || settings.target === 'modern';
  report({ node, messageId: isModern ? 'rawMessage' : 'legacyMessage', data: { what: method } });
}
