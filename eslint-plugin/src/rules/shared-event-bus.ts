/** A change that one instance publishes on a bus of its own is unheard by who listens at another (T17). */
import { HANDLER_MEMBER, SDK_SCOPE, SERVER_OPTION, SERVER_SYMBOL } from '../../../src/protocol/index.js';
import { parentOf, type Node, type SourceCode } from '../ast.js';
import { importOf } from '../detection/bindings.js';
import { usesOfHandler } from '../detection/mcp-handlers.js';
import { originOf } from '../detection/origins.js';
import { servingsOf, type Serving } from '../detection/servers.js';
import { isTestFile } from '../detection/test-files.js';
import { objectOf, propertyOf } from '../detection/values.js';
import { severalInstances } from '../package/several-instances.js';
import { createRule } from '../rule.js';

interface Options {
  readonly inferInstances: boolean;
}

export const sharedEventBus = createRule<'ownBus' | 'localBus', Options>({
  name: 'shared-event-bus',
  docs: {
    description: 'Require a shared event bus where several instances of a server run',
    level: 'MUST',
    recommended: 'error',
    strict: { inferInstances: true },
  },
  type: 'problem',
  tokens: [SERVER_SYMBOL.createMcpHandler],
  messages: {
    ownBus: `{{evidence}}, and this handler has an event bus of its own: a change that one instance publishes never reaches who listens at another. Give it \`${SERVER_OPTION.bus}\`, a ${SERVER_SYMBOL.serverEventBus} over your broker.`,
    localBus: `{{evidence}}, and ${SERVER_SYMBOL.inMemoryServerEventBus} stays within its process: a change that one instance publishes never reaches who listens at another. Use a ${SERVER_SYMBOL.serverEventBus} over your broker.`,
  },
  options: {
    inferInstances: {
      type: 'boolean',
      default: false,
      description: 'Take what the package says of its deployment for the setting `multiInstance`.',
    },
  },
  check({ sourceCode, filename, settings, options, report }) {
    if (isTestFile(sourceCode, filename)) return;
    const inferred =
      settings.multiInstance || !options.inferInstances
        ? undefined
        : severalInstances(filename, sourceCode.text);
    if (!settings.multiInstance && inferred === undefined) return;
    const evidence = inferred ?? 'Several instances run by the setting `multiInstance`';
    for (const serving of servingsOf(sourceCode)) {
      if (serving.entry !== 'http' || !mayPublish(sourceCode, serving)) continue;
      const bus = busOf(sourceCode, serving);
      if (bus === 'none') report({ node: serving.call.callee, messageId: 'ownBus', data: { evidence } });
      else if (bus !== 'unknown' && isInMemory(sourceCode, bus))
        report({ node: bus, messageId: 'localBus', data: { evidence } });
    }
  },
});

/** A handler on which nothing is published, in a file that shows all of its uses, has nothing to share. */
function mayPublish(sourceCode: SourceCode, serving: Serving): boolean {
  const parent = parentOf(serving.call);
  // toNodeHandler(createMcpHandler(…)) and createMcpHandler(…).fetch let nobody publish, but on a bus that is given.
  if (parent?.type === 'CallExpression' || parent?.type === 'MemberExpression')
    return serving.call.arguments.length > 1;
  const uses = usesOfHandler(sourceCode, serving);
  return (
    uses?.every(({ member }) =>
      ([HANDLER_MEMBER.fetch, HANDLER_MEMBER.close, SERVER_SYMBOL.toNodeHandler] as unknown[]).includes(
        member,
      ),
    ) !== true || busOf(sourceCode, serving) !== 'none'
  );
}

function busOf(sourceCode: SourceCode, { call }: Serving): Node | 'none' | 'unknown' {
  const [, given] = call.arguments;
  if (call.arguments.some(({ type }) => type === 'SpreadElement')) return 'unknown';
  if (given === undefined) return 'none';
  const options = objectOf(sourceCode, given);
  const bus = options === undefined ? 'unknown' : propertyOf(options, SERVER_OPTION.bus);
  if (bus === undefined) return 'none';
  return bus === 'unknown' ? 'unknown' : bus.value;
}

/** `new InMemoryServerEventBus()`, or a name for one. */
function isInMemory(sourceCode: SourceCode, bus: Node): boolean {
  const origin = originOf(sourceCode, bus);
  if (origin?.node.type !== 'NewExpression') return false;
  const imported = importOf(sourceCode, origin.node.callee);
  return imported?.name === SERVER_SYMBOL.inMemoryServerEventBus && imported.module.startsWith(SDK_SCOPE);
}
