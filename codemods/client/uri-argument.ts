/** Reads the URI out of a subscribe call's arguments, and takes the object around it away. */
import { ts } from 'ts-morph';
import type { SubscriptionCall } from '../../src/analysis/client-group.js';
import { isPlainPath, literalText, peel, propertyName, propertyOf } from '../../src/analysis/syntax.js';

/** Where a call's URI stands. */
export interface UriArgument {
  /** The expression of the URI; for `{ uri }` the shorthand's name, for a parameter object the object itself. */
  readonly expression: ts.Expression;
  /** The URI's text where it is a literal. */
  readonly literal: string | undefined;
  /** The URI as it is written. */
  readonly text: string;
  /** What is replaced by the URI alone: the object, or for a raw request the whole of its arguments. */
  readonly container: { readonly start: number; readonly end: number };
  /** Request options, as written; they stay where they are unless the arguments are replaced as a whole. */
  readonly options: ts.Expression | undefined;
}

/** The URI of a call, or why it cannot be taken out. */
export function readUri(call: SubscriptionCall): UriArgument | { readonly obstacle: string } {
  if (!ts.isCallExpression(call.node)) return { obstacle: 'the method is taken without being called' };
  if (call.optional && !isGuardable(call.node)) {
    return {
      obstacle: 'an optional chain leads to it; check for the client first',
    };
  }
  return call.form === 'request'
    ? readRequest(call.node)
    : readParameters(call.node, call.node.arguments[0], undefined);
}

/** `client?.subscribeResource(…)` on a plain name, or `client.subscribeResource?.(…)`. */
function isGuardable(node: ts.CallExpression): boolean {
  const access = peel(node.expression);
  if (!ts.isPropertyAccessExpression(access) && !ts.isElementAccessExpression(access)) return false;
  const { expression } = access;
  return ts.isOptionalChain(expression)
    ? false
    : access.questionDotToken === undefined || isPlainPath(expression);
}

function readRequest(node: ts.CallExpression): UriArgument | { readonly obstacle: string } {
  const first = node.arguments[0];
  const last = node.arguments.at(-1);
  const request = first === undefined ? undefined : peel(first);
  if (
    first === undefined ||
    last === undefined ||
    request === undefined ||
    !ts.isObjectLiteralExpression(request)
  ) {
    return {
      obstacle: 'its request is not written there as an object',
    };
  }
  const parameters = propertyOf(request, 'params');
  if (parameters === undefined || !ts.isPropertyAssignment(parameters)) {
    return {
      obstacle: 'its parameters cannot be read there',
    };
  }
  const options = node.arguments.slice(1).find((argument) => !isResultSchema(argument));
  const found = readParameters(node, parameters.initializer, options);
  if (hasComment(node.getSourceFile().text.slice(first.getStart(), last.end))) {
    return { obstacle: 'its request carries comments that would be lost' };
  }
  return 'obstacle' in found ? found : { ...found, container: { start: first.getStart(), end: last.end } };
}

/** The schema of a result, which v1 wants before the options; what it checks here is an empty object. */
function isResultSchema(argument: ts.Expression): boolean {
  const inner = peel(argument);
  if (ts.isIdentifier(inner)) return inner.text.endsWith('Schema');
  return (
    ts.isCallExpression(inner) || (ts.isPropertyAccessExpression(inner) && inner.name.text.endsWith('Schema'))
  );
}

function readParameters(
  node: ts.CallExpression,
  argument: ts.Expression | undefined,
  options: ts.Expression | undefined,
): UriArgument | { readonly obstacle: string } {
  if (argument === undefined || ts.isSpreadElement(argument)) {
    return {
      obstacle: 'its arguments cannot be read there',
    };
  }
  const container = { start: argument.getStart(), end: argument.end };
  const inner = peel(argument);
  const given = options ?? (node.arguments[0] === argument ? node.arguments[1] : undefined);
  if (!ts.isObjectLiteralExpression(inner)) {
    const text = isPlainPath(inner) ? inner.getText() : `(${inner.getText()})`;
    return { expression: inner, literal: undefined, text: `${text}.uri`, container, options: given };
  }
  const others = inner.properties.filter(
    (property) => property.name === undefined || propertyName(property.name) !== 'uri',
  );
  const uri = propertyOf(inner, 'uri');
  if (uri === undefined || others.length > 0) {
    return {
      obstacle: 'it is given more than a URI, and a listen has no place for the rest',
    };
  }
  if (ts.isShorthandPropertyAssignment(uri)) {
    return { expression: uri.name, literal: undefined, text: uri.name.text, container, options: given };
  }
  if (!ts.isPropertyAssignment(uri)) {
    return {
      obstacle: 'an accessor computes its URI',
    };
  }
  const { initializer } = uri;
  return {
    expression: initializer,
    literal: literalText(initializer),
    text: initializer.getText(),
    container,
    options: given,
  };
}

/** The edits that leave the URI (and the options) alone in the parentheses, and every comment where it is. */
export function uriEdits(uri: UriArgument, text: string): { start: number; end: number; text: string }[] {
  const { container, expression, options } = uri;
  const isInside = container.start <= expression.getStart() && expression.end <= container.end;
  const optionsFollow = options !== undefined && options.getStart() > container.end;
  const trailing = options !== undefined && !optionsFollow ? `, ${options.getText()}` : '';
  const before = isInside ? text.slice(container.start, expression.getStart()) : '';
  const after = isInside ? text.slice(expression.end, container.end) : '';
  const keepsAll = uri.text === expression.getText() && trailing === '';
  if (!keepsAll || !(hasComment(before) || hasComment(after))) {
    return keepsAll
      ? [
          { start: container.start, end: expression.getStart(), text: '' },
          { start: expression.end, end: container.end, text: '' },
        ]
      : [{ start: container.start, end: container.end, text: uri.text + trailing }];
  }
  return [...tokensAway(before, container.start), ...tokensAway(after, expression.end)];
}

function hasComment(text: string): boolean {
  return text.includes('//') || text.includes('/*');
}

/** Removes `{`, `uri:`, `,` and `}` and leaves comments, the space before them, and line breaks. */
function tokensAway(text: string, offset: number): { start: number; end: number; text: string }[] {
  const edits: { start: number; end: number; text: string }[] = [];
  const pattern =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|\{ ?|(?<!\s) \}|\}|, ?(?!\/[/*])|,|(?:uri|'uri'|"uri"|\['uri'\])\s*: ?/g;
  for (const match of text.matchAll(pattern)) {
    if (match[0].startsWith('/')) continue;
    edits.push({ start: offset + match.index, end: offset + match.index + match[0].length, text: '' });
  }
  return edits;
}
