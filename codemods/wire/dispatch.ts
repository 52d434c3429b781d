/** Where a server's own code chooses what a subscribe request does: switch cases, comparisons, registrations, tables of functions (R3). */
import { METHOD } from '../../src/protocol/index.js';
import { mentionsOf, type Mention } from './change-mentions.js';
import { lastName } from './declared-names.js';
import { branchOf, dispatchesOf } from './dispatches.js';
import { legacyLeg } from './legacy-leg.js';
import { isMcpNear, isTest, reachOf, runsOnSdk } from './server-evidence.js';
import { always, saying, withOthers, type ServerFinding } from './server-finding.js';
import type { Surroundings } from './surroundings.js';
import { briefText, dispatchText, emptyDispatchText, modernReason } from './server-recipe.js';
import { child, isCall, isFunction, list, within, type Node } from './tree.js';
import type { WireModule } from './wire-module.js';

/** The dispatches of a module. */
export function findDispatches(module: WireModule, surroundings: Surroundings): ServerFinding[] {
  if (isTest(module) || !isMcpNear(module) || runsOnSdk(module)) return [];
  return dispatchesOf(module).flatMap(({ mentions }): ServerFinding[] => {
    const found: ServerFinding[] = [];
    const listen = mentions.find(({ about }) => about === 'listen');
    if (listen !== undefined)
      found.push({
        shape: 'R3',
        node: listen.role.node,
        confidence: 'certain',
        outcome: always({ kind: 'kept', reason: modernReason(`answers ${METHOD.subscriptionsListen}`) }),
      });
    const old = mentions.filter(({ about }) => about === 'subscribe' || about === 'unsubscribe');
    const first = old.find(({ about }) => about === 'subscribe') ?? old[0];
    if (first !== undefined) found.push(legacyDispatch(module, first, old, surroundings));
    return found;
  });
}

function legacyDispatch(
  module: WireModule,
  first: Mention,
  all: readonly Mention[],
  surroundings: Surroundings,
): ServerFinding {
  const branch = branchOf(module, first);
  const anchor = first.role.kind === 'case' ? branch[0] : undefined;
  const base = { shape: 'R3', node: first.role.node, anchor, confidence: 'certain' } as const;
  const also = withOthers(module, all, first);
  const leg = legacyLeg(module, surroundings);
  if (leg !== undefined) return { ...base, outcome: always({ kind: 'kept', reason: `${leg}${also}` }) };
  if (refuses(module, branch))
    return {
      ...base,
      outcome: always({
        kind: 'reported',
        reason: `refuses the request, as a server without subscriptions refuses ${METHOD.subscriptionsListen}: nothing to do while resources.subscribe is not advertised${also}`,
      }),
    };
  const reach = reachOf(module);
  const isEmpty = accepts(branch) && !mentionsOf(module).some(({ about }) => about === 'change');
  return {
    ...base,
    outcome: (target) => {
      const text = (isEmpty ? emptyDispatchText : dispatchText)(reach, target);
      return saying({ kind: 'marked', text }, also);
    },
    brief: (target) => saying({ kind: 'marked', text: briefText(target) }, also),
  };
}

const REFUSAL =
  /-32601|method_?not_?found|not_?implemented|not_?supported|unsupported|not (?:implemented|supported|found)|\bnotAllowed\b/i;

/** Whether all that a branch does is to say no. */
function refuses(module: WireModule, branch: readonly Node[]): boolean {
  const statements = branch.flatMap((node) => bodyOf(node));
  if (statements.length === 0) return false;
  const [first, ...others] = statements;
  if (
    first === undefined ||
    others.some(({ type }) => type !== 'BreakStatement' && type !== 'ReturnStatement')
  )
    return false;
  return REFUSAL.test(module.textOf(first)) && !/\b(?:if|switch|await)\b/.test(module.textOf(first));
}

/** The statements of a branch that is a function, else itself. */
function bodyOf(node: Node): Node[] {
  if (!isFunction(node)) return [node];
  const body = child(node, 'body');
  return body?.type === 'BlockStatement' ? list(body, 'body') : body === undefined ? [] : [body];
}

const ANSWERING =
  /^(?:reply|respond|answer|send\w*|write\w*|json|stringify|result|ok|end|success|status|Response|create(?:Response|Result)|response)$/i;

/** Whether a branch answers with an empty result and does nothing else. */
function accepts(branch: readonly Node[]): boolean {
  const nodes = branch.flatMap((node) => bodyOf(node).flatMap((one) => [...within(one)]));
  const isEmpty = nodes.some(
    ({ type, ...node }) => type === 'ObjectExpression' && (node['properties'] as unknown[]).length === 0,
  );
  const calls = nodes.filter((node) => isCall(node) || node.type === 'NewExpression');
  return (
    isEmpty &&
    nodes.length > 0 &&
    calls.every((call) => ANSWERING.test(lastName(child(call, 'callee')) ?? ''))
  );
}
