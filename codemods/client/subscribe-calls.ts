/**
 * `subscribeResource` and `unsubscribeResource` become the managed change stream, or, where a pair stands in one
 * function and the target is modern, one inline `listen`.
 */
import { ts } from 'ts-morph';
import type { ClientGroup, SubscriptionCall } from '../../src/analysis/client-group.js';
import type { Facts } from '../../src/analysis/facts.js';
import { peel } from '../../src/analysis/syntax.js';
import { CHANGE_STREAM_METHOD } from '../../src/codegen/change-stream.js';
import { CLIENT_MEMBER, METHOD } from '../../src/protocol/index.js';
import type { Codemod, FileEdit, Outcome, Target } from '../codemod.js';
import { clientSite, type ClientSite } from './client-site.js';
import { isSwallowed } from './call-surroundings.js';
import { outcomeByGroup } from './group-outcome.js';
import { inlinePairOf, rewriteInline } from './inline-pair.js';
import { streamName } from './stream-import.js';
import { shapeOfCall } from './subscription-shape.js';
import { readUri, uriEdits, type UriArgument } from './uri-argument.js';

/** The codemod for subscribe and unsubscribe calls. */
export const subscribeCalls: Codemod<ClientGroup> = {
  name: 'client/subscribe-calls',
  removes: 'resource-subscribe',
  tokens: [
    CLIENT_MEMBER.subscribeResource,
    CLIENT_MEMBER.unsubscribeResource,
    METHOD.resourcesSubscribe,
    METHOD.resourcesUnsubscribe,
  ],

  find(facts) {
    return facts.clients.flatMap((group) =>
      group.subscriptions.map((call) => {
        const others = group.origins.length === 0 ? [] : callsFromOutOfSight(facts);
        return clientSite(call.node, shapeOfCall(call, group, others), group, facts);
      }),
    );
  },

  rewrite(site, facts, target) {
    const call = site.group.subscriptions.find((candidate) => candidate.node === site.node);
    if (call === undefined) throw new Error('a site of another codemod');
    if (call.era === 'legacy')
      return { kind: 'kept', reason: 'runs on the legacy era only: the code around it has checked' };
    return outcomeByGroup(site, facts, target) ?? rewriteCall(site, call, facts, target);
  },
};

function rewriteCall(site: ClientSite, call: SubscriptionCall, facts: Facts, target: Target): Outcome {
  const uri = readUri(call);
  if ('obstacle' in uri) throw new Error('the group should have been left as it is');
  const pair = target === 'modern' ? inlinePairOf(site.group, facts) : undefined;
  const outcome = pair === undefined ? rewriteToStream(site, call, uri) : rewriteInline(call, pair, facts);
  return isSwallowed(call.node) && outcome.kind === 'rewritten'
    ? { ...outcome, reason: `${outcome.reason}; what goes wrong with it is swallowed by an empty catch` }
    : outcome;
}

/** `client.subscribeResource({ uri })` → `changeStream(client).subscribe(uri)`, token by token. */
function rewriteToStream(site: ClientSite, call: SubscriptionCall, uri: UriArgument): Outcome {
  const { file, text } = site.unit;
  const stream = streamName(site.unit);
  const reason = 'through the managed change stream';
  const access = peel((call.node as ts.CallExpression).expression) as
    ts.PropertyAccessExpression | ts.ElementAccessExpression;
  const receiver = access.expression;
  const receiverText = text.slice(receiver.getStart(), receiver.end);
  const isGuarded = access.questionDotToken !== undefined;
  const method =
    call.action === 'subscribe' ? CHANGE_STREAM_METHOD.subscribe : CHANGE_STREAM_METHOD.unsubscribe;
  const edits: FileEdit[] = [];
  const edit = (start: number, end: number, replacement: string): void => {
    edits.push({ file, start, end, text: replacement, reason });
  };
  const guard = isGuarded ? `(${receiverText} && ` : '';
  // A receiver in parentheses brings those of the new call with it.
  const [open, close] = ts.isParenthesizedExpression(receiver) ? ['', ''] : ['(', ')'];
  edit(receiver.getStart(), receiver.getStart(), `${guard}${stream}${open}`);
  if (ts.isPropertyAccessExpression(access)) {
    if (close !== '') edit(receiver.end, receiver.end, close);
    if (access.questionDotToken !== undefined)
      edit(access.questionDotToken.getStart(), access.questionDotToken.end, '.');
    edit(access.name.getStart(), access.name.end, method);
  } else {
    edit(receiver.end, access.end, `${close}.${method}`);
  }
  const node = call.node as ts.CallExpression;
  if (node.questionDotToken !== undefined)
    edit(node.questionDotToken.getStart(), node.questionDotToken.end, '');
  for (const part of uriEdits(uri, text)) edit(part.start, part.end, part.text);
  if (isGuarded) edit(node.end, node.end, ')');
  return { kind: 'rewritten', edits, reason, streamFiles: [file] };
}

function callsFromOutOfSight(facts: Facts): SubscriptionCall[] {
  return facts.clients.filter((group) => group.origins.length > 0).flatMap((group) => group.subscriptions);
}

/** The calls of a group that are to be rewritten. */
export function callsToRewrite(group: ClientGroup): SubscriptionCall[] {
  return group.subscriptions.filter((call) => call.era !== 'legacy');
}
