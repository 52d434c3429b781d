/** What changes while no stream is open is told to nobody: only a refetch behind the acknowledgment finds it (B6, F6, T37). */
import { FILTER_FIELDS, REQUEST_OPTION, CLIENT_MEMBER } from '../../../src/protocol/index.js';
import { enclosingFunction, keyName, type SourceCode, type TSESTree } from '../ast.js';
import { lifeOf } from '../detection/client-life.js';
import { listensOf, reads, type Listen } from '../detection/listens.js';
import { nodesOf } from '../detection/nodes.js';
import { possibleRefetches, refetchesOf } from '../detection/refetches.js';
import { isWithin, repeatsOf, type Repeat } from '../detection/repeats.js';
import { objectOf } from '../detection/values.js';
import { createRule, type CheckedFile, type NoOptions } from '../rule.js';

type Message = 'beforeAck' | 'relisten' | 'cached';

export const refetchAfterAck = createRule<Message>({
  name: 'refetch-after-ack',
  docs: {
    description: 'Require a refetch behind the acknowledgment of a listen',
    level: 'advice',
    recommended: 'warn',
  },
  type: 'problem',
  tokens: [`.${CLIENT_MEMBER.listen}`, `'${CLIENT_MEMBER.listen}'`, `"${CLIENT_MEMBER.listen}"`],
  messages: {
    beforeAck:
      '`{{refetch}}()` runs before this listen is acknowledged and nothing fetches again behind it: a change in between is lost for good. Fetch once `await listen()` has resolved.',
    relisten:
      'This listens again and fetches nothing: nothing is replayed, so what changed while no stream was open is lost. Refetch each time once `await listen()` has resolved.',
    cached: `After a gap no notification has emptied the client's response cache, so \`{{refetch}}()\` may answer with what was there before it. Pass \`{ ${REQUEST_OPTION.cacheMode}: 'refresh' }\`.`,
  },
  check(file) {
    const { sourceCode } = file;
    const repeated = new Set<Listen>();
    for (const repeat of repeatsOf(sourceCode)) {
      repeated.add(repeat.listen);
      checkRepeat(file, repeat);
    }
    for (const listen of listensOf(sourceCode)) if (!repeated.has(listen)) checkOrder(file, listen);
  },
});

function checkRepeat({ sourceCode, report }: CheckedFile<Message, NoOptions>, repeat: Repeat): void {
  const { listen } = repeat;
  // Whoever has the subscription, or is told of the end, may refetch.
  if (listen.subscription.escapes.length > 0) return;
  const isBehind = ({ range }: TSESTree.CallExpression): boolean => range[0] > listen.call.range[1];
  const inLoop = repeat.loop !== undefined;
  const behind = possibleRefetches(sourceCode).filter(
    (call) => isWithin(repeat, call) && call !== listen.call && (!inLoop || isBehind(call)),
  );
  const refetches = refetchesOf(sourceCode, listen.client).filter(
    ({ call }) => isWithin(repeat, call) && isBehind(call),
  );
  const others = behind.filter((call) => !leadsBack(repeat, call));
  if (others.length === 0) {
    report({ node: listen.callee.property, messageId: 'relisten' });
    return;
  }
  for (const { call, callee, name } of refetches)
    if (isCached(sourceCode, call))
      report({ node: callee.property, messageId: 'cached', data: { refetch: name } });
}

/** The calls that make the circle fetch nothing by themselves. */
function leadsBack({ node }: Repeat, call: TSESTree.CallExpression): boolean {
  return call.callee === node;
}

/** Whether a call may be answered from the cache: its options are in sight, and say nothing else. */
function isCached(sourceCode: SourceCode, { arguments: given }: TSESTree.CallExpression): boolean {
  if (given.some(({ type }) => type === 'SpreadElement')) return false;
  const options = given[1];
  if (options === undefined) return true;
  const literal = objectOf(sourceCode, options);
  return (
    literal?.properties.every(
      (property) => property.type === 'Property' && keyName(property) !== REQUEST_OPTION.cacheMode,
    ) === true
  );
}

function checkOrder({ sourceCode, report }: CheckedFile<Message, NoOptions>, listen: Listen): void {
  const { client, call, filterObject } = listen;
  if (filterObject === undefined || client.era === 'legacy') return;
  if (isOneShot(sourceCode, listen) || lifeOf(sourceCode, client) === undefined) return;
  const refetches = refetchesOf(sourceCode, client);
  for (const property of filterObject.properties) {
    const field = property.type === 'Property' ? keyName(property) : undefined;
    const row = FILTER_FIELDS.find((one) => one.field === field);
    const own = refetches.filter(({ name }) => row?.refetchCalls.includes(name));
    const isAllBefore = own.every(
      (one) => one.call.range[1] < call.range[0] && enclosingFunction(one.call) === enclosingFunction(call),
    );
    const [first] = own;
    if (first === undefined || !isAllBefore) continue;
    report({ node: listen.callee.property, messageId: 'beforeAck', data: { refetch: first.name } });
    return;
  }
}

/** A command that looks once and ends: its subscription is closed where it was opened, or the process is. */
function isOneShot(sourceCode: SourceCode, listen: Listen): boolean {
  const around = enclosingFunction(listen.call);
  if (reads(listen, CLIENT_MEMBER.close)) return true;
  return nodesOf(sourceCode)
    .of('CallExpression')
    .some((call) => enclosingFunction(call) === around && sourceCode.getText(call.callee) === 'process.exit');
}
