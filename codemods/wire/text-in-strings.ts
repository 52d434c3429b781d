/** Code and JSON inside strings (R12): templates of generators, bodies of messages. Found by a search in the text, never edited. */
import { CLIENT_MEMBER, FILTER_FIELDS, METHOD, MODERN_REVISION } from '../../src/protocol/index.js';
import { mentionsOf } from './change-mentions.js';
import { isTest } from './server-evidence.js';
import { always, lineOf, type ServerFinding } from './server-finding.js';
import { list, stringOf, type Node } from './tree.js';
import type { WireModule } from './wire-module.js';

const METHODS = [
  METHOD.resourcesSubscribe,
  METHOD.resourcesUnsubscribe,
  ...FILTER_FIELDS.map(({ notification }) => notification),
];

/** A method as a string of its own inside of the text, quotes escaped or not. */
const QUOTED = new RegExp(`(?:\\\\?["'\`])(${METHODS.join('|')})\\\\?["'\`]`);

/** A call of the SDK's client. */
const CALLED = new RegExp(`\\.(${CLIENT_MEMBER.subscribeResource}|${CLIENT_MEMBER.unsubscribeResource})\\(`);

/** What a sentence does not have, and code or JSON does. */
const CODE =
  /jsonrpc|\\?["']?method\\?["']?\s*:|=>|\bfunction\b|\bimport\b|\bconst\b|\bawait\b|\bcase\b|[;{]\s*(?:\n|$)|\w\([^)]*\)\s*;?\s*$|\bsetNotificationHandler\b/m;

/** The strings of a module that hold code which uses the subscriptions of 2025. */
export function findTextInStrings(module: WireModule): ServerFinding[] {
  if (isTest(module)) return [];
  const mentioned = new Set<Node>(mentionsOf(module).map(({ literal }) => literal));
  return module.of('StringLiteral', 'Literal', 'TemplateLiteral').flatMap((node): ServerFinding[] => {
    if (mentioned.has(node)) return [];
    const text = wholeText(node);
    const found = text === undefined ? undefined : (QUOTED.exec(text) ?? CALLED.exec(text));
    const [, name] = found ?? [];
    if (text === undefined || name === undefined || !CODE.test(text) || isPacked(text)) return [];
    const line = lineOf(module, node.start + Math.max(0, module.textOf(node).indexOf(name)));
    return [
      {
        shape: 'R12',
        node,
        confidence: 'review',
        outcome: always({
          kind: 'reported',
          reason: `${name} in code or JSON inside a string (line ${String(line)}), which is never edited: look at what becomes of it on a ${MODERN_REVISION} connection`,
        }),
      },
    ];
  });
}

/** What a bundler has put into one line is no code of this project. */
function isPacked(text: string): boolean {
  return text.split('\n').some((line) => line.length > 1000);
}

/** The text of a literal; of a template, the parts between its expressions. */
function wholeText(node: Node): string | undefined {
  if (node.type !== 'TemplateLiteral') return stringOf(node);
  return list(node, 'quasis')
    .map((quasi) => (quasi['value'] as { raw: string }).raw)
    .join('…');
}
