/** A check in a handler of `resources/subscribe` is never made for modern clients, which do not send it (T14). */
import { METHOD, SERVER_MEMBER } from '../../../src/protocol/index.js';
import { enclosingFunction, type SourceCode } from '../ast.js';
import { eraAt } from '../detection/era.js';
import { entriesFor, isModern } from '../detection/modern-path.js';
import { publishersOf } from '../detection/publishers.js';
import { servingsOf } from '../detection/servers.js';
import { checksIn, startsWork } from '../detection/subscribe-duties.js';
import { subscribeHandlersOf } from '../detection/subscribe-handlers.js';
import { createRule } from '../rule.js';

interface Options {
  readonly includeWork: boolean;
}

const NEVER_RUNS = `A modern client never sends '${METHOD.resourcesSubscribe}', so this handler does not run for it`;

export const noLostSubscribeCheck = createRule<'check' | 'work', Options>({
  name: 'no-lost-subscribe-check',
  docs: {
    description: 'Disallow checks that only a handler of `resources/subscribe` makes',
    level: 'MUST',
    recommended: 'error',
    strict: { includeWork: true },
  },
  type: 'problem',
  tokens: [SERVER_MEMBER.setRequestHandler],
  options: {
    includeWork: {
      type: 'boolean',
      default: false,
      description: 'Whether handlers are reported that start work, such as a watcher or a timer.',
    },
  },
  messages: {
    check: `${NEVER_RUNS}: its check ({{check}}) is not made{{published}}. Check the URIs of \`resourceSubscriptions\` in front of the handler, give each tenant a handler and bus of its own, or put something into the URI that nobody can guess.`,
    work: `${NEVER_RUNS}: what it starts ({{work}}) is not started. Start it when the process does, or when a request names the URI in \`resourceSubscriptions\`, in front of the handler.`,
  },
  check(file) {
    const { sourceCode, otherFiles, options, report } = file;
    if (FILTER_READ.test(sourceCode.text) || otherFiles?.some(FILTER_READ) === true) return;
    for (const { call, server, handler } of subscribeHandlersOf(sourceCode)) {
      const [method] = call.arguments;
      if (method === undefined || !isModern(entriesFor(file, call, server))) continue;
      if (eraAt(sourceCode, call) === 'legacy' || isMadePerUser(sourceCode)) continue;
      const [check] = checksIn(sourceCode, handler);
      if (check !== undefined)
        report({ node: method, messageId: 'check', data: { check, published: published(sourceCode) } });
      else if (options.includeWork) {
        const work = startsWork(sourceCode, handler);
        if (work !== undefined) report({ node: method, messageId: 'work', data: { work } });
      }
    }
  },
});

/** The filter of a listen request being read: somebody looks at its URIs. */
const FILTER_READ = /\bresourceSubscriptions\b(?!['"]?\s*:)/;

/** What publishes to everybody who names a URI, said with its line. */
function published(sourceCode: SourceCode): string {
  const update = publishersOf(sourceCode).find(
    ({ how, change }) => how === 'notifier' && change?.field === 'resourceSubscriptions',
  );
  return update === undefined
    ? ''
    : `, and \`${update.change?.notify ?? ''}\` on line ${update.call.loc.start.line} reaches whoever names the URI`;
}

/** A handler for each user or tenant, made by a function that keeps or returns it: who is not let in has none. */
function isMadePerUser(sourceCode: SourceCode): boolean {
  return servingsOf(sourceCode).some(({ call, entry }) => {
    const maker = entry === 'http' ? enclosingFunction(call) : undefined;
    return maker !== undefined && maker.params.length > 0;
  });
}
