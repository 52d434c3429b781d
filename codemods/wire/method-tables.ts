/** Tables and lists whose rows are methods: permissions, rates, telemetry, versions (R5, L). They keep their rows and gain one. */
import { LEGACY_REVISION, METHOD, MODERN_REVISION, NOTIFICATION } from '../../src/protocol/index.js';
import { mentionsOf, type Mention } from './change-mentions.js';
import { keyOf, namesAround } from './declared-names.js';
import { isDispatch, isTelemetry } from './dispatches.js';
import { importsSdkClient, isMcpNear, isTest, runsOnSdk } from './server-evidence.js';
import { always, saying, withOthers, type ServerFinding } from './server-finding.js';
import { modernReason, securityTableText, tableText } from './server-recipe.js';
import { child, isFunction, list, stringOf, type Node } from './tree.js';
import type { WireModule } from './wire-module.js';

/** A table with those of its rows that are about subscriptions. */
interface Table {
  readonly node: Node;
  readonly rows: Mention[];
}

const KNOWN = new Set<string>([...Object.values(METHOD), ...Object.values(NOTIFICATION)]);

/** The tables of a module. */
export function findMethodTables(module: WireModule): ServerFinding[] {
  if (isTest(module) || !isMcpNear(module)) return [];
  const tables = tablesOf(module);
  return tables.flatMap((table): ServerFinding[] => {
    const { node, rows } = table;
    if (methodsIn(node) < 2 || isForPeople(module, node)) return [];
    const [old] = rows.filter(({ about }) => about === 'subscribe');
    const [first] = old === undefined ? rows : [old];
    if (first === undefined) return [];
    const also = withOthers(module, rows, first);
    const base = { node: first.role.node, anchor: node } as const;
    const isSecurity = decides(module, node);
    const shape = isSecurity ? 'R5' : 'L';
    const say = (kind: 'kept' | 'reported', reason: string): ServerFinding[] => [
      { ...base, shape, confidence: 'certain', outcome: always({ kind, reason: `${reason}${also}` }) },
    ];
    if (rows.some(({ about }) => about === 'listen'))
      return say('kept', modernReason(`the table has a row for ${METHOD.subscriptionsListen}`));
    if (old !== undefined && isAboutTheOldEra(module, node))
      return say('kept', 'the table says of itself that it is about 2025');
    if (old !== undefined && tables.some((other) => isCounterpart(table, other)))
      return say('kept', 'another table here has the row for 2026-07-28');
    if (old !== undefined && isSecurity) {
      const outcome = { kind: 'marked', text: securityTableText(proposedRow(module, old)) } as const;
      return [{ ...base, shape, confidence: 'likely', outcome: always(saying(outcome, also)) }];
    }
    if (old === undefined && !isOfServer(module, node)) return [];
    // A list of bare names says too little about what it is for.
    // Lists and pairs in code of the SDK are gone through to register handlers.
    if (runsOnSdk(module) && node.type === 'ArrayExpression') return [];
    if (isPlainList(table) && (!isNamedForMethods(module, node) || CLI.test(module.path))) return [];
    return say('reported', tableText(proposedRow(module, old)));
  });
}

function tablesOf(module: WireModule): Table[] {
  const byNode = new Map<Node, Table>();
  for (const mention of mentionsOf(module)) {
    const node = isDispatch(module, mention) ? undefined : tableOf(module, mention);
    if (node === undefined) continue;
    const known = byNode.get(node);
    if (known === undefined) byNode.set(node, { node, rows: [mention] });
    else known.rows.push(mention);
  }
  return [...byNode.values()];
}

function tableOf(module: WireModule, { role }: Mention): Node | undefined {
  switch (role.kind) {
    case 'row':
      // A table of functions for notifications is how they are received or sent, and no table about them.
      return role.value !== undefined && isFunction(role.value) && !isTelemetry(module, role.table)
        ? undefined
        : role.table;
    case 'element':
      return role.table;
    case 'match':
      return role.node;
    case 'case':
      return isTelemetry(module, role.choice) || isOutgoing(module, role.choice) ? role.choice : undefined;
    case 'comparison':
    default:
      return undefined;
  }
}

/** How many methods of the protocol a table knows. */
function methodsIn(table: Node): number {
  const names = [
    ...list(table, 'properties').map((entry) => keyOf(entry)),
    ...list(table, 'elements').map((element) =>
      stringOf(element.type === 'ArrayExpression' ? list(element, 'elements')[0] : element),
    ),
    ...list(table, 'cases').map((one) => stringOf(child(one, 'test'))),
    ...list(table, 'arguments').map((one) => stringOf(one)),
  ];
  // `Match.when('tools/call', …)` is one row among its neighbours.
  return table.type.endsWith('CallExpression')
    ? 2
    : names.filter((name) => name !== undefined && KNOWN.has(name)).length;
}

const OLD = new RegExp(
  `legacy|removed|dropped|deprecated|obsolete|unsupported|${LEGACY_REVISION.slice(0, 4)}`,
  'i',
);

function isAboutTheOldEra(module: WireModule, table: Node): boolean {
  return namesAround(module, table)
    .slice(0, 3)
    .some((name) => OLD.test(name));
}

function isCounterpart(table: Table, other: Table): boolean {
  return (
    other !== table &&
    other.rows.some(({ about }) => about === 'listen') &&
    !other.rows.some(({ about }) => about === 'subscribe')
  );
}

/** What people read or type: verbs of a command line, entries of a menu, pages of a handbook. */
function isForPeople(module: WireModule, table: Node): boolean {
  return namesAround(module, table)
    .slice(0, 2)
    .some((name) =>
      /verb|command|usage|help|menu|choice|completion|suggestion|route|page|expected|placeholder/i.test(name),
    );
}

const DECIDING =
  /permission|privilege|scope|role|access|acl(?![a-z])|polic(?:y|ies)|allow|grant|authori[sz]|require|rate|limit|quota|throttle|budget/i;

/** Whether a table is about who may do what, or how often: by what it stands under, or by what its rows hold. */
function decides(module: WireModule, table: Node): boolean {
  return (
    namesAround(module, table)
      .slice(0, 3)
      .some((name) => DECIDING.test(name.replace(/generate|iterate|operate|separate|strategy/gi, ''))) ||
    list(table, 'properties').some((entry) =>
      list(child(entry, 'value'), 'properties').some((inner) =>
        /^(?:scopes?|roles?|permissions?|limit|rateLimit|perMinute|window)$/.test(keyOf(inner) ?? ''),
      ),
    )
  );
}

/** The row that a table lacks, as the table writes its rows. */
function proposedRow(module: WireModule, old: Mention | undefined): string {
  if (old === undefined) return 'a row';
  const spelled = module.textOf(old.literal).replace(METHOD.resourcesSubscribe, METHOD.subscriptionsListen);
  const value =
    'value' in old.role && old.role.value !== undefined ? module.textOf(old.role.value) : undefined;
  // A table of revisions says when a method came.
  if (value !== undefined && /20\d\d-\d\d-\d\d/.test(value) && old.role.kind === 'row')
    return `${spelled}: ${value.replace(/20\d\d-\d\d-\d\d/, MODERN_REVISION)}`;
  const isShort = value !== undefined && value.length <= LONGEST && !value.includes('\n');
  switch (old.role.kind) {
    case 'row':
      return isShort ? `${spelled}: ${value}` : `a row for ${METHOD.subscriptionsListen}`;
    case 'element':
      if (value === undefined) return spelled;
      return isShort ? `[${spelled}, ${value}]` : `a row for ${METHOD.subscriptionsListen}`;
    case 'case':
      return `a case for ${METHOD.subscriptionsListen}`;
    default:
      return METHOD.subscriptionsListen;
  }
}

const LONGEST = 60;

/** Notifications are named by clients as well: a table of them is one of a server, or of what watches it, by what it is called. */
function isOfServer(module: WireModule, table: Node): boolean {
  if (importsSdkClient(module) || /client/i.test(module.path)) return false;
  return isTelemetry(module, table) || isOutgoing(module, table);
}

function isOutgoing(module: WireModule, node: Node): boolean {
  return namesAround(module, node)
    .slice(0, 3)
    .some((name) => /server|outgoing|outbound/i.test(name));
}

/** On a command line the same names are verbs, and people type them. */
const CLI = /(?:^|[/-])cli(?:[/.-]|$)/i;

function isPlainList({ node }: Table): boolean {
  return (
    node.type === 'ArrayExpression' &&
    list(node, 'elements').every((element) => element.type !== 'ArrayExpression')
  );
}

function isNamedForMethods(module: WireModule, table: Node): boolean {
  return namesAround(module, table)
    .slice(0, 2)
    .some((name) => /method|notification|request|rpc|supported|known|stream/i.test(name));
}
