/** The lists of hosts and origins that an old transport checks: no modern handler does, so the front has to. */
import { ts } from 'ts-morph';
import { literalBehind, valueBehind } from '../../src/analysis/constants.js';
import { findOption } from '../../src/analysis/option-values.js';
import type { Facts } from '../../src/analysis/facts.js';
import { peel } from '../../src/analysis/syntax.js';
import { quoted, type FileStyle } from '../../src/codegen/file-style.js';
import { SERVER_OPTION } from '../../src/protocol/index.js';
import type { Obstacle } from '../obstacle.js';

/** Host names without ports, which is what the SDK's own checks compare. */
export interface Validation {
  readonly hosts: readonly string[] | undefined;
  readonly origins: readonly string[] | undefined;
}

const NONE: Validation = { hosts: undefined, origins: undefined };

/** What the transports check; an obstacle where that cannot be read. */
export function validationOf(transports: readonly ts.NewExpression[], facts: Facts): Validation | Obstacle {
  let found: Validation | undefined;
  for (const transport of transports) {
    const own = validationOfOne(transport, facts);
    if ('text' in own) return own;
    if (found !== undefined && !isSame(found, own))
      return { text: 'its transports check different hosts or origins', at: transport };
    found = own;
  }
  return found ?? NONE;
}

function validationOfOne(transport: ts.NewExpression, { world }: Facts): Validation | Obstacle {
  const [options] = transport.arguments ?? [];
  const unread = {
    text: 'the hosts or origins that its transport allows cannot be read here: check them in front of the modern handler, too',
    at: transport,
  };
  if (options === undefined) return NONE;
  if (literalBehind(options, world.checker) === undefined) return unread;
  const isOn = findOption(options, SERVER_OPTION.enableDnsRebindingProtection, world.checker);
  if (isOn === 'absent' || isLiteralFalse(isOn)) return NONE;
  const list = (name: string): readonly string[] | undefined | 'unread' => {
    const option = findOption(options, name, world.checker);
    if (option === 'absent') return undefined;
    if (option === 'unknown' || !ts.isPropertyAssignment(option)) return 'unread';
    return namesIn(option.initializer, world.checker) ?? 'unread';
  };
  const [hosts, origins] = [list(SERVER_OPTION.allowedHosts), list(SERVER_OPTION.allowedOrigins)];
  return isOn === 'unknown' || hosts === 'unread' || origins === 'unread' ? unread : { hosts, origins };
}

function isLiteralFalse(option: ReturnType<typeof findOption>): boolean {
  return (
    typeof option === 'object' &&
    ts.isPropertyAssignment(option) &&
    peel(option.initializer).kind === ts.SyntaxKind.FalseKeyword
  );
}

/** The host names of a list whose entries are written out; a port may be computed. */
function namesIn(list: ts.Expression, checker: ts.TypeChecker): string[] | undefined {
  const inner = valueBehind(list, checker);
  if (inner === undefined || !ts.isArrayLiteralExpression(inner)) return undefined;
  const names = inner.elements.map((element) => hostIn(startOf(element)));
  return names.every((name) => name !== undefined) ? [...new Set(names)] : undefined;
}

/** The text that an entry begins with, and whether it ends there. */
function startOf(element: ts.Expression): { text: string; isWhole: boolean } | undefined {
  const inner = peel(element);
  if (ts.isStringLiteralLike(inner)) return { text: inner.text, isWhole: true };
  if (ts.isTemplateExpression(inner)) return { text: inner.head.text, isWhole: false };
  const isSum = ts.isBinaryExpression(inner) && inner.operatorToken.kind === ts.SyntaxKind.PlusToken;
  const left = isSum ? startOf(inner.left) : undefined;
  return left === undefined ? undefined : { text: left.text, isWhole: false };
}

/** `127.0.0.1` of `http://127.0.0.1:3000`; undefined where the name itself is not all there. */
function hostIn(start: { text: string; isWhole: boolean } | undefined): string | undefined {
  if (start === undefined) return undefined;
  const match = /^(?:https?:\/\/)?(\[[0-9a-f:]+\]|[\w.-]+)(:.*|\/)?$/i.exec(start.text);
  const [, name, rest] = match ?? [];
  return name !== undefined && (start.isWhole || rest?.startsWith(':') === true) ? name : undefined;
}

function isSame(one: Validation, other: Validation): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** `['localhost', '127.0.0.1']` */
export function listText(names: readonly string[], style: FileStyle): string {
  return `[${names.map((name) => quoted(name, style)).join(', ')}]`;
}
