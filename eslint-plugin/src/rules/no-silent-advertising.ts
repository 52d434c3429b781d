/** A server that advertises changes and never publishes one keeps its listeners waiting for nothing. */
import { REGISTERING, SERVER_SYMBOL, type FilterField } from '../../../src/protocol/index.js';
import type { Node, SourceCode, TSESLint } from '../ast.js';
import { capabilityFor, declaredBy, type Capability } from '../detection/capabilities.js';
import { eraAt } from '../detection/era.js';
import { publishersOf } from '../detection/publishers.js';
import { mayPublish } from '../detection/publishing-evidence.js';
import { registrationsOf } from '../detection/server-handlers.js';
import { serversOf, type MadeServer } from '../detection/served-creations.js';
import { entriesAt, servingsOf, type Serving } from '../detection/servers.js';
import { isTestFile } from '../package/test-files.js';
import { createRule, type Report } from '../rule.js';
import { capabilityStep } from '../suggestions/capability.js';
import { refuseListenStep } from '../suggestions/refuse-listen.js';

type Message = 'neverPublished' | 'stopAndRefuse' | 'stopAdvertising';

const FIELDS: readonly FilterField[] = [...REGISTERING.map(({ field }) => field), 'resourceSubscriptions'];

export const noSilentAdvertising = createRule<Message>({
  name: 'no-silent-advertising',
  docs: {
    description: 'Disallow advertising changes that nothing in the package publishes',
    level: 'SHOULD',
  },
  type: 'suggestion',
  hasSuggestions: true,
  tokens: [SERVER_SYMBOL.createMcpHandler, SERVER_SYMBOL.serveStdio],
  messages: {
    neverPublished:
      '{{advertised}} advertised{{how}}, but nothing in this package publishes it: clients open a stream on which nothing ever comes. Publish the changes, or switch it off in the capabilities.',
    stopAndRefuse: 'Set it to false, and refuse streams with `maxSubscriptions: 0`.',
    stopAdvertising: 'Set it to false; a stream is then acknowledged empty and ended (server 2.2 and newer).',
  },
  check(file) {
    const { sourceCode, filename, report } = file;
    if (isTestFile(filename)) return;
    if (publishersOf(sourceCode).some(({ how }) => how !== 'registration')) return;
    const seen = new Set<Node>();
    for (const serving of servingsOf(sourceCode)) {
      if (mayPublish(file, serving)) continue;
      for (const server of serversOf(sourceCode, serving)) {
        if (seen.has(server.creation)) continue;
        seen.add(server.creation);
        if (server.generation === 'v1' || eraAt(sourceCode, server.creation) === 'legacy') continue;
        const advertised = advertisedBy(sourceCode, server);
        if (advertised.length > 0) report(reportOf(sourceCode, serving, server, advertised));
      }
    }
  },
});

interface Advertised extends Capability {
  /** Written down, or added by the SDK for what is registered. */
  readonly by: 'options' | 'default';
}

/** What a server advertises; nothing where one of its capabilities cannot be read. */
function advertisedBy(sourceCode: SourceCode, server: MadeServer): Advertised[] {
  const found: Advertised[] = [];
  for (const field of FIELDS) {
    const capability = capabilityFor(field);
    const declared = declaredBy(sourceCode, server.creation, capability);
    if (declared === 'unknown') return [];
    if (declared === 'on') found.push({ ...capability, by: 'options' });
    else if (declared === 'absent' && isRegistered(sourceCode, server, field))
      found.push({ ...capability, by: 'default' });
  }
  return found;
}

/** Whether something of a list is registered on a server: then an `McpServer` advertises the list's changes. */
function isRegistered(sourceCode: SourceCode, { creation }: MadeServer, field: FilterField): boolean {
  const member = REGISTERING.find((row) => row.field === field)?.member;
  return registrationsOf(sourceCode).some(
    ({ name, server }) => name === member && server.kind === 'McpServer' && server.creation === creation,
  );
}

function reportOf(
  sourceCode: SourceCode,
  serving: Serving,
  { creation }: MadeServer,
  advertised: readonly Advertised[],
): Report<Message> {
  const names = advertised.map(({ group, member }) => `\`${group}.${member}\``);
  const byDefault = advertised.every(({ by }) => by === 'default') ? ' by default' : '';
  const isOne = names.length === 1;
  const list = isOne ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
  const off = advertised.every(({ by }) => by === 'default')
    ? capabilityStep(sourceCode, creation, advertised, false)
    : undefined;
  const isHttpAlone = entriesAt(sourceCode, creation).size === 1 && serving.entry === 'http';
  const refuse =
    isHttpAlone && serversOf(sourceCode, serving).length === 1
      ? refuseListenStep(sourceCode, serving.call)
      : undefined;
  return {
    node: creation.callee,
    messageId: 'neverPublished',
    data: { advertised: `${list} ${isOne ? 'is' : 'are'}`, how: byDefault },
    suggest: [
      ...(off === undefined || refuse === undefined
        ? []
        : [
            {
              messageId: 'stopAndRefuse' as const,
              fix: (fixer: TSESLint.RuleFixer) => [off(fixer), refuse(fixer)],
            },
          ]),
      ...(off === undefined ? [] : [{ messageId: 'stopAdvertising' as const, fix: off }]),
    ],
  };
}
