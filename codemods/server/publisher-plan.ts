/** What becomes of one publisher of a server that an HTTP handler serves, or will serve. */
import { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import { gatesAround } from '../../src/analysis/registry-gates.js';
import { requestHandlersOf } from '../../src/analysis/request-handlers.js';
import { namedHolder, referencesOf } from '../../src/analysis/references.js';
import { serverEraAt } from '../../src/analysis/server-era.js';
import type { ServerGroup } from '../../src/analysis/server-group.js';
import type { Gate, Publisher } from '../../src/analysis/server-publisher.js';
import { publishersOf, returnsNothing } from '../../src/analysis/server-publishers.js';
import { contains, dressed, enclosingFunction, isAsync, peel } from '../../src/analysis/syntax.js';
import { PUBLISHERS, type PublisherRow } from '../../src/protocol/index.js';
import type { CreatedFile, FileEdit, Target } from '../codemod.js';
import { isPublishedBeside } from './already-published.js';
import type { ImportNeed } from './imports.js';
import { notifierOf, type Notifier } from './notifier.js';
import { behind, editsBeside, editsInPlace, inFront, statementOf } from './publish-edits.js';
import { decidedBySessions } from './decided-by-sessions.js';
import { emitPlaceOf, type EmitPlace } from './publish-place.js';
import { removedStatement } from './removed-statement.js';
import { isSameTwice, publishedUri } from './published-uri.js';
import { isForwarding } from './publisher-shape.js';
import { shortText } from '../../src/analysis/short-text.js';

/** Edits, nothing, or why there can be none. */
export type PublisherPlan =
  | {
      readonly kind: 'edits';
      readonly edits: readonly FileEdit[];
      readonly imports: readonly ImportNeed[];
      readonly files: readonly CreatedFile[];
      readonly reason: string;
      readonly marker?: string;
    }
  | { readonly kind: 'kept'; readonly reason: string }
  | { readonly kind: 'problem'; readonly text: string };

const plans = new WeakMap<Publisher, Map<Target, PublisherPlan>>();

/** Decides once, for the site and for whoever asks whether its server can be moved. */
export function planOfPublisher(
  publisher: Publisher,
  group: ServerGroup,
  facts: Facts,
  target: Target,
): PublisherPlan {
  const known = plans.get(publisher) ?? new Map<Target, PublisherPlan>();
  plans.set(publisher, known);
  const plan = known.get(target) ?? decide({ publisher, group, facts, target });
  known.set(target, plan);
  return plan;
}

interface Question {
  readonly publisher: Publisher;
  readonly group: ServerGroup;
  readonly facts: Facts;
  readonly target: Target;
}

/** The publishers of a server, as all codemods know them. */
export function publishersIn(group: ServerGroup, facts: Facts): readonly Publisher[] {
  return publishersOf(facts.world, group);
}

/** The gates around a publisher, those around the calls of its function among them. */
export function gatesOf({ node }: Publisher, group: ServerGroup, facts: Facts): readonly Gate[] {
  return gatesAround(facts.world, group, node);
}

function decide(question: Question): PublisherPlan {
  const { publisher, group, facts, target } = question;
  if (serverEraAt(facts.world, publisher.node) === 'legacy') return { kind: 'kept', reason: OF_LEGACY };
  const notifier = notifierOf(group, facts, target);
  const rows = rowsOf(publisher);
  if (isForwarding(publisher, facts)) return problem(FORWARDS);
  const unreadable = whyUnreadable(publisher);
  if (unreadable !== undefined) return problem(unreadable);
  if (publisher.publishedAt.length > 0) return planOfForwarder(question);
  if (publisher.form === 'implied') return planOfImplied(question, notifier, rows);
  if (publisher.reach === 'construction' || publisher.reach === 'instance')
    return problem(whyPerInstance(publisher));
  const gates = gatesOf(publisher, group, facts);
  const elsewhere = gates.find((gate) => !isHere(gate, publisher));
  if (elsewhere !== undefined) {
    return problem(
      `its calls depend on ${shortText(elsewhere.condition, 50)}, a registry that no modern client ever gets into`,
    );
  }
  const decided = decidedBySessions(publisher, group, facts);
  if (decided !== undefined) return problem(decided);
  const place = emitPlaceOf(publisher, gatesToPass(gates, publisher, notifier), facts);
  if (isPublishedBeside(place, rows))
    return { kind: 'kept', reason: 'the change is published beside it already' };
  if (notifier === undefined) return problem(NO_HANDLER);
  if (place.problem !== undefined) return problem(place.problem);
  return publisher.form === 'request-stream'
    ? planOfRequestStream(question, place, notifier, rows)
    : planOfEmit(question, place, notifier, rows);
}

/** Beside the emit, in front of its gates; in its place, only those that go with its loop, for the others are taken away. */
function gatesToPass(
  gates: readonly Gate[],
  { fanOut }: Publisher,
  notifier: Notifier | undefined,
): readonly Gate[] {
  if (notifier?.besideLegacy !== false) return gates;
  return fanOut === undefined ? [] : gates.filter((gate) => contains(fanOut, gate.node));
}

const OF_LEGACY = 'runs on the legacy era only: the code around it has checked';

/** What is left to say where nothing else is wrong with a publisher. */
export const NO_HANDLER = 'no handler is in sight that could publish it';

const FORWARDS =
  'it forwards what an upstream server sends, which nobody asks that server for any more: listen there, and publish what arrives';

function problem(text: string): PublisherPlan {
  return { kind: 'problem', text };
}

function rowsOf({ notifications }: Publisher): readonly PublisherRow[] {
  return PUBLISHERS.filter((row) => notifications?.includes(row.notification) === true);
}

function whyUnreadable({ form, notifications, node, publishedAt }: Publisher): string | undefined {
  if (form !== 'computed' || publishedAt.length > 0) return undefined;
  const what = shortText(node.expression, 50);
  return notifications === undefined || notifications.length === 0
    ? `what ${what}() sends cannot be read: publish each change by a call of its own`
    : `which of ${notifications.join(', ')} it sends is decided only when it runs: publish each by a call of its own`;
}

function whyPerInstance({ reach }: Publisher): string {
  return reach === 'construction'
    ? 'it runs while the server is built, which now is once for every request'
    : 'it runs once for each instance of the server, and a modern instance lives for one request: move what calls it out of the factory, so that each change is published once';
}

/** Whether a gate is in the function of the publisher itself, callbacks of its loops not counted. */
function isHere(gate: Gate, { node }: Publisher): boolean {
  if (gate.node.getSourceFile() !== node.getSourceFile()) return false;
  const owner = enclosingFunction(gate.node);
  for (let current = enclosingFunction(node); ; current = enclosingFunction(current)) {
    if (current === owner) return true;
    if (current === undefined) return false;
  }
}

/** An emit in a helper: what its calls decide is published at those. */
function planOfForwarder({ publisher, group, facts, target }: Question): PublisherPlan {
  const isReplaced = notifierOf(group, facts, target)?.besideLegacy === false;
  const calls = publishersIn(group, facts).filter(({ node }) => publisher.publishedAt.includes(node));
  for (const call of calls) {
    const plan = planOfPublisher(call, group, facts, target);
    if (plan.kind === 'problem') return plan;
  }
  const reason = 'what it emits is published where this function is called';
  const unused = isReplaced ? unusedHelper(publisher, facts) : undefined;
  if (unused === undefined) return { kind: 'kept', reason };
  const edits = [removedStatement(unused, facts.unitOf(unused))];
  return { kind: 'edits', edits, imports: [], files: [], reason: `${reason}, and nothing else calls it` };
}

/** The statement of a helper whose every mention is a call that is replaced. */
function unusedHelper({ node, publishedAt }: Publisher, { world }: Facts): ts.Statement | undefined {
  const owner = enclosingFunction(node);
  const holder = owner === undefined ? undefined : namedHolder(owner);
  const statement = holder === undefined ? undefined : helperStatement(holder);
  if (holder === undefined || statement === undefined) return undefined;
  const mentions = referencesOf(world)
    .to(holder)
    .filter((name) => (name.parent as ts.NamedDeclaration).name !== name);
  const isCalled = (name: ts.Node): boolean =>
    publishedAt.some(({ expression }) => dressed(name) === expression);
  return mentions.every(isCalled) ? statement : undefined;
}

function helperStatement(holder: ts.Node): ts.Statement | undefined {
  const statement = ts.isVariableDeclaration(holder) ? holder.parent.parent : holder;
  const isAlone = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations.length === 1
    : ts.isFunctionDeclaration(statement);
  if (!isAlone || !ts.isStatement(statement) || !ts.canHaveModifiers(statement)) return undefined;
  const isExported = ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  return isExported === true ? undefined : statement;
}

function planOfEmit(
  question: Question,
  place: EmitPlace,
  notifier: Notifier,
  rows: readonly PublisherRow[],
): PublisherPlan {
  const { publisher, facts } = question;
  if (notifier.besideLegacy) return planBeside(question, place, notifier, rows);
  if (place.kind === 'used') return problem('what it returns is used, and publishing returns nothing');
  if (place.isChained)
    return problem('what follows on its promise would be lost: publishing returns nothing to wait for');
  if (!place.sole)
    return problem('its loop or gate holds more than the emit: decide which of it runs for every change');
  if (publisher.form === 'forwarded' && !isPureForwarder(question))
    return problem(
      'the function that emits does more than that: publish beside its call, and take the emit out of it',
    );
  const isPromise = !returnsNothing(facts.world, publisher.receiver);
  const owner = place.isReturned ? enclosingFunction(place.node) : undefined;
  if (owner !== undefined && isPromise && !isAsync(owner))
    return problem('its promise is returned, and publishing returns nothing to wait for');
  const made = publishingOf(question, place, notifier, rows, false);
  if (typeof made === 'string') return problem(made);
  const unit = facts.unitOf(publisher.node);
  const edits = editsInPlace(place, made.published, unit, isPromise && !isResultIgnored(place));
  return {
    kind: 'edits',
    ...made.rest,
    edits: [...edits, ...made.rest.edits],
    reason: reasonOf(publisher, 'in its place'),
  };
}

function planBeside(
  question: Question,
  place: EmitPlace,
  notifier: Notifier,
  rows: readonly PublisherRow[],
): PublisherPlan {
  const { publisher, facts } = question;
  if (place.kind === 'used' && !isUnconditional(place))
    return problem('it stands in an expression that may not be evaluated: give it a statement of its own');
  if (place.kind === 'arrow' && place.guards.length > 0)
    return problem('it stands in an expression with other conditions: give it a statement of its own');
  if (!place.guards.every(isSameTwice))
    return problem(
      `it depends on ${place.guards.map((one) => shortText(one, 50)).join(' and ')}, which cannot be asked twice`,
    );
  const made = publishingOf(question, place, notifier, rows, true);
  if (typeof made === 'string') return problem(made);
  const edits = editsBeside(place, made.published, facts.unitOf(publisher.node));
  return {
    kind: 'edits',
    ...made.rest,
    edits: [...edits, ...made.rest.edits],
    reason: reasonOf(publisher, 'beside the emit for 2025 sessions'),
  };
}

function reasonOf({ extraParameters, fanOut }: Publisher, where: string): string {
  const once = fanOut === undefined ? '' : ', once for all sessions';
  const lost = extraParameters
    ? '; modern listeners get the URI alone, its other parameters have no place there'
    : '';
  return `published ${where}${once}${lost}`;
}

interface Made {
  readonly published: { readonly calls: readonly string[]; readonly guard: string | undefined };
  readonly rest: {
    readonly edits: readonly FileEdit[];
    readonly imports: readonly ImportNeed[];
    readonly files: readonly CreatedFile[];
  };
}

/** The calls that publish, or why there can be none. */
function publishingOf(
  { publisher, facts }: Question,
  place: EmitPlace,
  notifier: Notifier,
  rows: readonly PublisherRow[],
  again: boolean,
): Made | string {
  const texts: string[] = [];
  const edits: FileEdit[] = [];
  const imports: ImportNeed[] = [];
  const files: CreatedFile[] = [];
  const front = place.exit ?? place.node;
  for (const row of rows) {
    const uri =
      row.notify === 'resourceUpdated'
        ? publishedUri(publisher, facts, place.node, place.exit?.pos ?? Number.MAX_SAFE_INTEGER, again)
        : undefined;
    if (uri !== undefined && 'problem' in uri) return uri.problem;
    const one = notifier.publish(row, uri?.text, front);
    texts.push(one.text);
    edits.push(...one.edits);
    imports.push(...one.imports);
    files.push(...one.files);
  }
  const guard = place.guards.length === 0 ? undefined : place.guards.map((one) => one.getText()).join(' && ');
  return { published: { calls: texts, guard }, rest: { edits, imports, files } };
}

/** A callback whose result nobody waits for: of a timer, of an emitter. */
function isResultIgnored({ node }: EmitPlace): boolean {
  const arrow = dressed(node).parent;
  if (ts.isVoidExpression(node)) return true;
  const argument = dressed(arrow);
  if (!ts.isCallExpression(argument.parent) || argument.parent.expression === argument) return false;
  const callee = peel(argument.parent.expression);
  const name = ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText();
  return /^(?:on|once|addListener|addEventListener|setTimeout|setInterval|setImmediate|forEach)$/.test(name);
}

/** Whether an expression is evaluated whenever its statement runs. */
function isUnconditional({ node }: EmitPlace): boolean {
  const statement = statementOf(node);
  if (!ts.isVariableStatement(statement) && !ts.isExpressionStatement(statement)) return false;
  for (let current: ts.Node = node; current !== statement; current = current.parent) {
    const { parent } = current;
    if (ts.isConditionalExpression(parent) && parent.condition !== current) return false;
    if (ts.isFunctionLike(current)) return false;
    const isLogical =
      ts.isBinaryExpression(parent) &&
      parent.right === current &&
      [
        ts.SyntaxKind.AmpersandAmpersandToken,
        ts.SyntaxKind.BarBarToken,
        ts.SyntaxKind.QuestionQuestionToken,
      ].includes(parent.operatorToken.kind);
    if (isLogical) return false;
  }
  return true;
}

/** Whether the function behind a forwarded emit does nothing but emit, so that its calls can go. */
function isPureForwarder({ publisher, group, facts }: Question): boolean {
  return publishersIn(group, facts)
    .filter(({ publishedAt }) => publishedAt.includes(publisher.node))
    .every((emit) => {
      const owner = enclosingFunction(emit.node);
      const body = owner === undefined ? undefined : (owner as ts.FunctionLikeDeclaration).body;
      if (body === undefined) return false;
      const place = emitPlaceOf(emit, gatesOf(emit, group, facts), facts);
      if (!ts.isBlock(body)) return place.kind === 'arrow';
      let outer: ts.Node = statementOf(place.node);
      while (outer.parent !== body && isTransparent(outer.parent)) outer = outer.parent;
      const others = body.statements.filter((one) => one !== outer && one !== place.exit);
      return place.sole && outer.parent === body && others.length === 0;
    });
}

function isTransparent(node: ts.Node): boolean {
  return ts.isBlock(node) || ts.isTryStatement(node);
}

/** On the stream of a request nobody listens for changes (T10): it goes to all streams instead. */
function planOfRequestStream(
  question: Question,
  place: EmitPlace,
  notifier: Notifier,
  rows: readonly PublisherRow[],
): PublisherPlan {
  const { publisher, group, facts } = question;
  if (!notifier.besideLegacy) return planOfEmit(question, place, notifier, rows);
  const beside = planBeside(question, place, notifier, rows);
  if (beside.kind !== 'edits') return beside;
  const sender = senderInScope(publisher, group, facts);
  if (sender === undefined)
    return problem(
      'it goes out on the stream of one request, also to a modern client that never listened: send it by the server itself',
    );
  const unit = facts.unitOf(publisher.node);
  const { expression } = publisher.node;
  const reason = 'a request has no stream for changes';
  const edit = { file: unit.file, start: expression.getStart(), end: expression.end, text: sender, reason };
  return { ...beside, edits: [...beside.edits, edit] };
}

/** `server.server.notification`, by the name that the handler around was registered on. */
function senderInScope({ node }: Publisher, group: ServerGroup, { world }: Facts): string | undefined {
  const handlers = requestHandlersOf(world, group);
  for (let owner = enclosingFunction(node); owner !== undefined; owner = enclosingFunction(owner)) {
    const call = dressed(owner).parent;
    if (!handlers.has(owner) || !ts.isCallExpression(call)) continue;
    const callee = peel(call.expression);
    if (!ts.isPropertyAccessExpression(callee)) return undefined;
    const receiver = callee.expression.getText();
    return returnsNothing(world, callee.expression)
      ? `${receiver}.server.notification`
      : `${receiver}.notification`;
  }
  return undefined;
}

/** The SDK's own emit reaches nobody from an instance that lives for one request (T6, T9). */
function planOfImplied(
  question: Question,
  notifier: Notifier | undefined,
  rows: readonly PublisherRow[],
): PublisherPlan {
  const { publisher, group, facts } = question;
  const isServed = group.entries.some(({ kind }) => kind === 'http');
  if (!isServed) return problem(LOST_WITH_INSTANCE);
  const statement = statementOf(publisher.node);
  const place: EmitPlace = {
    kind: 'statement',
    node: statement,
    sole: false,
    guards: [],
    isGated: false,
    isAwaited: false,
    isReturned: ts.isReturnStatement(statement),
    isChained: false,
    exit: undefined,
    problem: undefined,
  };
  if (isPublishedBeside(place, rows))
    return { kind: 'kept', reason: 'the change is published beside it already' };
  if (notifier === undefined) return problem(NO_HANDLER);
  const made = publishingOf(question, place, notifier, rows, true);
  if (typeof made === 'string') return problem(made);
  const unit = facts.unitOf(publisher.node);
  const edits = place.isReturned
    ? inFront(statement, made.published, unit)
    : behind(statement, made.published, unit);
  return {
    kind: 'edits',
    ...made.rest,
    edits: [...edits, ...made.rest.edits],
    reason: 'published behind the change, which the SDK announces to nobody here',
    marker: LOST_WITH_INSTANCE,
  };
}

const LOST_WITH_INSTANCE =
  'what is registered or switched here lives on one instance, and a modern instance serves one request: keep the list outside of the factory';
