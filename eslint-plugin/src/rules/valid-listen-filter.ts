/** A filter with a key that nobody knows, or a value of the wrong kind, asks for less than it seems (A2 to A4, T12, T13). */
import {
  EXTENSION_FILTER_FIELDS,
  FILTER_FIELDS,
  FILTER_PARAM,
  METHOD,
  V2_CLIENT_PACKAGE,
  type ExtensionFieldRow,
} from '../../../src/protocol/index.js';
import { keyName, type TSESTree } from '../ast.js';
import {
  asksForNothing,
  filterFaults,
  renaming,
  type FilterFault,
  type Mending,
} from '../detection/filter-faults.js';
import { LISTEN_TOKENS, listensOf, type Listen } from '../detection/listens.js';
import { messagesOf } from '../detection/wire.js';
import { entryOf, plainObject } from '../detection/wire-values.js';
import { describeVersion, isAtLeast, sdkVersion } from '../package/sdk-version.js';
import { createRule, type CheckedFile, type NoOptions, type Report } from '../rule.js';

type Message = FilterFault['kind'] | 'asksForNothing' | 'wrongPlace' | 'mend' | 'remove';

type File = CheckedFile<Message, NoOptions>;

const FIELDS = FILTER_FIELDS.map(({ field }) => field).join(', ');

export const validListenFilter = createRule<Message>({
  name: 'valid-listen-filter',
  docs: {
    description: 'Require filters whose every key and value asks for something',
    level: 'MUST',
    recommended: 'error',
  },
  type: 'problem',
  fixable: true,
  hasSuggestions: true,
  tokens: LISTEN_TOKENS,
  messages: {
    misspelt: `A filter has no key \`{{what}}\`: it is dropped in silence, and nothing is sent for it. Write \`{{instead}}\`.`,
    unknownKey: `A filter has no key \`{{what}}\`: it is dropped in silence, and nothing is sent for it. The keys are ${FIELDS}.`,
    extensionKey: `\`{{what}}\` belongs to an extension that nothing here declares: servers of SDK 2.0 to 2.4 drop it in silence, and {{version}} leaves it out of \`honoredFilter\`, so nothing says whether it works. Declare \`{{capability}}\` and ask with \`{{poll}}\` as well, or take it out.`,
    notBoolean: `\`{{what}}\` is a boolean: with any other value the server refuses the filter. Write \`true\`, or leave the key out.`,
    notUris: `\`{{what}}\` is an array of URIs: with any other value the server refuses the filter. Write \`[uri]\`.`,
    notUri: `\`{{what}}\` is no URI: \`resourceSubscriptions\` is an array of strings, and with anything else in it the server refuses the filter.`,
    pattern: `\`{{what}}\` is taken as it stands, since URIs match by the exact string: the server may acknowledge it and never send anything. Name each URI that is meant.`,
    twice: `\`{{what}}\` is named twice: the second one asks for nothing more.`,
    asksForNothing:
      'This filter asks for nothing. A server of SDK 2.2 or later ends such a stream at once, an older one keeps it open in vain: name the changes that are wanted.',
    wrongPlace: `The filter of \`${METHOD.subscriptionsListen}\` is \`params.${FILTER_PARAM}\`: a server does not look at \`params.{{what}}\`, and refuses the request.`,
    mend: 'Write `{{text}}`.',
    remove: 'Remove it.',
  },
  check(file) {
    for (const listen of listensOf(file.sourceCode)) checkListen(file, listen);
    for (const { object, kind, isWhole } of messagesOf(file.sourceCode))
      if (kind === 'listen' && isWhole) checkMessage(file, object);
  },
});

function checkListen(file: File, { call, filter, filterObject }: Listen): void {
  const { sourceCode, report } = file;
  if (filter === undefined) {
    if (call.arguments.length === 0) report({ node: call, messageId: 'asksForNothing' });
    return;
  }
  if (filterObject === undefined) return;
  for (const fault of filterFaults(sourceCode, filterObject)) reportFault(file, fault);
  // A filter behind a name may be filled by whoever else has it.
  if (filter === filterObject && asksForNothing(sourceCode, filterObject))
    report({ node: filter, messageId: 'asksForNothing' });
}

/** Raw code: extensions may add keys of their own there, so only slips are certain. */
function checkMessage(file: File, message: TSESTree.ObjectExpression): void {
  const { sourceCode } = file;
  const given = entryOf(sourceCode, message, 'params');
  const params = given === undefined || given === 'unknown' ? undefined : plainObject(sourceCode, given);
  if (params === undefined) return;
  const filter = entryOf(sourceCode, params, FILTER_PARAM);
  if (filter === undefined) checkPlace(file, params);
  const literal = filter === undefined || filter === 'unknown' ? undefined : plainObject(sourceCode, filter);
  if (literal === undefined) return;
  for (const fault of filterFaults(sourceCode, literal))
    if (fault.kind !== 'extensionKey' && fault.kind !== 'unknownKey') reportFault(file, fault);
  if (literal === filter && asksForNothing(sourceCode, literal))
    file.report({ node: literal, messageId: 'asksForNothing' });
}

const MISPLACED: readonly string[] = [
  'filter',
  'filters',
  'uri',
  'uris',
  ...FILTER_FIELDS.map(({ field }) => field),
];

/** `params: { uri }`, `params: { filter: … }` */
function checkPlace({ report }: File, params: TSESTree.ObjectExpression): void {
  for (const property of params.properties) {
    const name = property.type === 'Property' ? keyName(property) : undefined;
    if (property.type !== 'Property' || name === undefined || !MISPLACED.includes(name)) continue;
    const isFilter = name === 'filter' || name === 'filters';
    report({
      node: property.key,
      messageId: 'wrongPlace',
      data: { what: name },
      suggest: isFilter ? [suggestion(renaming(property, FILTER_PARAM, false), FILTER_PARAM)] : [],
    });
    return;
  }
}

function reportFault(file: File, { kind, node, what, instead, mending }: FilterFault): void {
  const { report, filename } = file;
  const extension =
    kind === 'extensionKey' ? EXTENSION_FILTER_FIELDS.find(({ field }) => field === what) : undefined;
  if (extension !== undefined && isDeclared(file, extension)) return;
  const version = sdkVersion(filename, V2_CLIENT_PACKAGE);
  // Measured up to 2.4: a later client may know the extension.
  if (kind === 'extensionKey' && version !== undefined && isAtLeast(version, 2, 5)) return;
  report({
    node,
    messageId: kind,
    data: {
      what,
      instead: instead ?? '',
      version: describeVersion(V2_CLIENT_PACKAGE, version),
      capability: extension?.capability ?? '',
      poll: extension?.poll ?? '',
    },
    ...(mending === undefined
      ? {}
      : mending.isCertain
        ? { fix: edit(mending) }
        : { suggest: [suggestion(mending, mending.text)] }),
  });
}

/** Whoever names the extension's capability has a server that knows the key: clients send it as it stands. */
function isDeclared({ sourceCode, otherFiles }: File, { capability }: ExtensionFieldRow): boolean {
  const named = new RegExp(capability.replaceAll(/[./]/g, '\\$&'));
  return named.test(sourceCode.text) || otherFiles?.some(named) === true;
}

function suggestion(mending: Mending, text: string): NonNullable<Report<Message>['suggest']>[number] {
  return text === ''
    ? { messageId: 'remove', fix: edit(mending) }
    : { messageId: 'mend', data: { text }, fix: edit(mending) };
}

function edit({ range, text }: Mending): NonNullable<Report<Message>['fix']> {
  return (fixer) => fixer.replaceTextRange([...range], text);
}
