/** What the messages say that a server sends: which change, of which resource. */
import { ts } from 'ts-morph';
import { PUBLISHERS, type Notification } from '../protocol/index.js';
import type { ClosedWorld } from './closed-world.js';
import { literalBehind } from './constants.js';
import { methodsOf, textsOf } from './method-names.js';
import { peel, propertyOf } from './syntax.js';

/** What is known of a message that may tell of a change. */
export interface ChangeMessage {
  /** The changes that it may tell of; undefined where they cannot be read. */
  readonly notifications: readonly Notification[] | undefined;
  /** Other methods that it may have. */
  readonly others: readonly string[];
  readonly uri: ts.Expression | undefined;
  /** An expression that is handed on whole and holds the URI: `params`. */
  readonly uriHolder: ts.Expression | undefined;
  /** Whether it says more than the URI. */
  readonly extraParameters: boolean;
}

const CHANGES = PUBLISHERS.map((row) => row.notification);

/** Reads what `server.notification(message)` sends. */
export function readMessage(world: ClosedWorld, message: ts.Expression): ChangeMessage {
  const literal = literalBehind(message, world.checker);
  const params = literal === undefined ? undefined : propertyOf(literal, 'params');
  const value = params === undefined ? undefined : valueOf(params);
  const ofParams = value === undefined ? NOTHING : readParameters(value, world);
  return { ...namesOf(methodsOf(message, world), methodIn(literal)), ...ofParams };
}

/** Reads what the first argument of `server.sendResourceUpdated(params)` says. */
export function readParameters(
  params: ts.Expression,
  { checker }: ClosedWorld,
): Pick<ChangeMessage, 'uri' | 'uriHolder' | 'extraParameters'> {
  const literal = peel(params);
  if (!ts.isObjectLiteralExpression(literal)) {
    const known = literalBehind(params, checker);
    const extraParameters = known !== undefined && known.properties.length > 1;
    return { uri: undefined, uriHolder: params, extraParameters };
  }
  const uri = propertyOf(literal, 'uri');
  const extraParameters = literal.properties.length > (uri === undefined ? 0 : 1);
  return { uri: uri === undefined ? undefined : valueOf(uri), uriHolder: undefined, extraParameters };
}

const NOTHING = { uri: undefined, uriHolder: undefined, extraParameters: false } as const;

/** The changes that a method's expression can name. */
export function readMethod(
  world: ClosedWorld,
  method: ts.Expression,
): Pick<ChangeMessage, 'notifications' | 'others'> {
  return namesOf(textsOf(method, world), method);
}

function namesOf(
  methods: readonly string[] | undefined,
  written: ts.Expression | undefined,
): Pick<ChangeMessage, 'notifications' | 'others'> {
  if (methods === undefined) {
    const fitting = written === undefined ? undefined : fittingTemplate(peel(written));
    return { notifications: fitting, others: [] };
  }
  return {
    notifications: CHANGES.filter((name) => methods.includes(name)),
    others: methods.filter((name) => !CHANGES.some((change) => change === name)),
  };
}

/** `notifications/${kind}/list_changed`: what it can be, whatever the kind is. */
function fittingTemplate(written: ts.Expression): Notification[] | undefined {
  if (!ts.isTemplateExpression(written)) return undefined;
  const parts = [written.head.text, ...written.templateSpans.map(({ literal }) => literal.text)];
  const pattern = new RegExp(
    `^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+')}$`,
  );
  return CHANGES.filter((name) => pattern.test(name));
}

/** The method of a message that is written out. */
export function methodIn(literal: ts.Expression | undefined): ts.Expression | undefined {
  const isLiteral = literal !== undefined && ts.isObjectLiteralExpression(literal);
  const property = isLiteral ? propertyOf(literal, 'method') : undefined;
  return property === undefined ? undefined : valueOf(property);
}

/** The expression that stands in the source: the name itself where it is written in short. */
export function valueOf(property: ts.ObjectLiteralElementLike): ts.Expression | undefined {
  if (ts.isPropertyAssignment(property)) return property.initializer;
  return ts.isShorthandPropertyAssignment(property) ? property.name : undefined;
}
