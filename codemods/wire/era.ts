/** Which era a place of raw code runs in, by the questions for it that stand around. */
import { LEGACY_REVISION, MODERN_REVISION, type Era } from '../../src/protocol/index.js';
import { functionOf, isVisibleAt, ownerOf } from './bindings.js';
import {
  child,
  contains,
  isCall,
  isFunction,
  isMember,
  list,
  memberName,
  nameOf,
  peel,
  within,
  type Node,
} from './tree.js';
import { resolve, textOf } from './values.js';
import { classAround, functionAround, siblingsOf, type WireModule } from './wire-module.js';

/** A condition that asks for the era. */
export interface EraQuestion {
  readonly node: Node;
  /** The era in which it holds. */
  readonly era: Era;
}

/** Which era it is when a condition holds; undefined where it does not ask for one. */
export function eraWhenTrue(module: WireModule, condition: Node, depth = 0): Era | undefined {
  const node = peel(condition);
  if (depth > 4) return undefined;
  if (node.type === 'UnaryExpression' && node['operator'] === '!') {
    const inner = child(node, 'argument');
    return inner === undefined ? undefined : other(eraWhenTrue(module, inner, depth + 1));
  }
  if (node.type === 'BinaryExpression') return eraOfComparison(module, node);
  if (node.type === 'LogicalExpression' && node['operator'] === '&&') {
    const sides = [child(node, 'left'), child(node, 'right')];
    for (const side of sides) {
      const era = side === undefined ? undefined : eraWhenTrue(module, side, depth + 1);
      if (era !== undefined) return era;
    }
    return undefined;
  }
  if (node.type === 'Identifier') {
    const value = resolve(module, node);
    return (value === node ? undefined : eraWhenTrue(module, value, depth + 1)) ?? eraOfName(nameOf(node));
  }
  if (isCall(node)) {
    const callee = child(node, 'callee');
    const result = callee === undefined ? undefined : soleResult(functionOf(module, callee));
    const era = result === undefined ? undefined : eraWhenTrue(module, result, depth + 1);
    return (
      era ?? eraOfName(callee === undefined ? undefined : (nameOf(peel(callee)) ?? memberName(peel(callee))))
    );
  }
  return isMember(node) ? eraOfName(memberName(node)) : undefined;
}

/** Names that say which era it is: `isModern`, `speaksModern`, `isModernProtocol`, `isLegacyRequest`. */
function eraOfName(name: string | undefined): Era | undefined {
  if (name === undefined) return undefined;
  if (/^_?#?(?:is|on|speaks?|uses?)?_?modern/i.test(name)) return 'modern';
  return /^_?#?(?:is|on|speaks?|uses?)_?legacy/i.test(name) ? 'legacy' : undefined;
}

function eraOfComparison(module: WireModule, node: Node): Era | undefined {
  const [left, right] = [child(node, 'left'), child(node, 'right')];
  const [one, two] = [textOf(module, left), textOf(module, right)];
  const text = two ?? one;
  const asked = two === undefined ? right : left;
  if (text === undefined || asked === undefined || !ASKED.test(module.textOf(asked))) return undefined;
  const era = eraOfText(text);
  switch (node['operator']) {
    case '===':
    case '==':
      return era;
    case '!==':
    case '!=':
      return other(era);
    case '>=':
      return era === 'modern' && two !== undefined ? 'modern' : undefined;
    case '<':
      return era === 'modern' && two !== undefined ? 'legacy' : undefined;
    default:
      return undefined;
  }
}

const ASKED = /version|revision|era\b|protocol/i;

function eraOfText(text: string): Era | undefined {
  if (text === 'modern' || text === MODERN_REVISION) return 'modern';
  return text === 'legacy' || (/^20\d\d-\d\d-\d\d$/.test(text) && text <= LEGACY_REVISION)
    ? 'legacy'
    : undefined;
}

function other(era: Era | undefined): Era | undefined {
  if (era === undefined) return undefined;
  return era === 'modern' ? 'legacy' : 'modern';
}

/** What a function without statements of its own returns. */
function soleResult(declared: Node | undefined): Node | undefined {
  const body = child(declared, 'body');
  if (body?.type !== 'BlockStatement') return body;
  const [only, ...others] = list(body, 'body');
  return others.length === 0 && only?.type === 'ReturnStatement' ? child(only, 'argument') : undefined;
}

/** The era that was asked for before a place of this function is reached. */
export function eraAt(module: WireModule, place: Node): Era | undefined {
  let inner = place;
  for (const around of module.ancestorsOf(place)) {
    const era = eraInside(module, around, inner) ?? eraAfterExit(module, inner);
    if (era !== undefined) return era;
    inner = around;
  }
  return undefined;
}

function eraInside(module: WireModule, around: Node, inner: Node): Era | undefined {
  const test = child(around, 'test');
  if ((around.type === 'IfStatement' || around.type === 'ConditionalExpression') && test !== undefined) {
    const era = eraWhenTrue(module, test);
    if (inner === child(around, 'consequent')) return era;
    return inner === child(around, 'alternate') ? other(era) : undefined;
  }
  const left = child(around, 'left');
  if (around.type !== 'LogicalExpression' || left === undefined || inner !== child(around, 'right'))
    return undefined;
  const era = eraWhenTrue(module, left);
  return around['operator'] === '&&' ? era : around['operator'] === '||' ? other(era) : undefined;
}

/** `if (isModern()) return;` before the statement. */
function eraAfterExit(module: WireModule, statement: Node): Era | undefined {
  for (const sibling of siblingsOf(module, statement) ?? []) {
    if (sibling === statement) return undefined;
    const test = child(sibling, 'test');
    const consequent = child(sibling, 'consequent');
    const isExit =
      sibling.type === 'IfStatement' &&
      child(sibling, 'alternate') === undefined &&
      consequent !== undefined &&
      leaves(consequent);
    const era = isExit && test !== undefined ? other(eraWhenTrue(module, test)) : undefined;
    if (era !== undefined) return era;
  }
  return undefined;
}

export function leaves(statement: Node): boolean {
  const last = statement.type === 'BlockStatement' ? list(statement, 'body').at(-1) : statement;
  return (
    last !== undefined &&
    ['ReturnStatement', 'ThrowStatement', 'ContinueStatement', 'BreakStatement'].includes(last.type)
  );
}

/** The era by which a place is reached: by the questions around it, or around all mentions of its function. */
export function eraReaching(module: WireModule, place: Node, depth = 0): Era | undefined {
  const era = eraAt(module, place);
  const around = functionAround(module, place);
  if (era !== undefined || around === undefined || depth > 3) return era;
  const [first, ...others] = new Set(
    mentionsOf(module, around).map((mention) => eraReaching(module, mention, depth + 1)),
  );
  return others.length === 0 ? first : undefined;
}

/** Where a function of the module is named elsewhere. */
export function mentionsOf(module: WireModule, declared: Node): Node[] {
  return [
    ...module.of('MemberExpression', 'OptionalMemberExpression').filter((member) => {
      const owner = ownerOf(module, member);
      return owner !== undefined && functionOf(module, member) === declared;
    }),
    ...module.of('Identifier').filter((identifier) => {
      const parent = module.parentOf(identifier);
      return (
        parent !== undefined &&
        child(parent, 'id') !== identifier &&
        child(parent, 'key') !== identifier &&
        child(parent, 'property') !== identifier &&
        functionOf(module, identifier) === declared
      );
    }),
  ].filter((mention) => !contains(declared, mention));
}

/** A question for the era that can be asked at a place as well, as it is written. */
export function questionFor(module: WireModule, place: Node): EraQuestion | undefined {
  return questionsOf(module).find(({ node }) => canBeAskedAt(module, node, place));
}

/** Whether the module asks for the era somewhere. */
export function forksByEra(module: WireModule): boolean {
  return questionsOf(module).length > 0;
}

const QUESTIONS = Symbol('questions');

function questionsOf(module: WireModule): readonly EraQuestion[] {
  return module.remember(QUESTIONS, () =>
    module.of('IfStatement', 'ConditionalExpression').flatMap((fork): EraQuestion[] => {
      const test = child(fork, 'test');
      if (test === undefined) return [];
      let node = peel(test);
      // `!isModern()` asks by what stands behind the exclamation mark
      while (node.type === 'UnaryExpression' && node['operator'] === '!') {
        const inner = child(node, 'argument');
        if (inner === undefined) break;
        node = peel(inner);
      }
      const era = node.type === 'LogicalExpression' ? undefined : eraWhenTrue(module, node);
      return era === undefined ? [] : [{ node, era }];
    }),
  );
}

function canBeAskedAt(module: WireModule, question: Node, place: Node): boolean {
  if (contains(question, place)) return false;
  const owner = classAround(module, question);
  for (const part of within(question)) {
    if (part.type === 'AwaitExpression' || isFunction(part)) return false;
    if (part.type === 'ThisExpression' && (owner === undefined || classAround(module, place) !== owner))
      return false;
    if (part.type !== 'Identifier') continue;
    const parent = module.parentOf(part);
    const isName = isMember(parent) && child(parent, 'property') === part && parent?.['computed'] !== true;
    if (!isName && !isVisibleAt(module, part, place)) return false;
  }
  return true;
}
