/** Conditions that ask whether somebody of 2025 is there: a registry of subscribers, a connection, the server itself. */
import { ts } from 'ts-morph';
import type { Gate, Publisher } from '../../src/analysis/server-publisher.js';
import { peel } from '../../src/analysis/syntax.js';
import { SERVER_MEMBER } from '../../src/protocol/index.js';

/** What is left of a condition; undefined where no part of it asks for somebody of 2025. */
export function splitCondition(
  condition: ts.Expression,
  publisher: Publisher,
  gates: readonly Gate[],
): { readonly guards: readonly ts.Expression[] } | undefined {
  const parts = conjuncts(condition);
  const isOfLegacy = (part: ts.Expression): boolean =>
    isLive(part, publisher) || gates.some((gate) => holds(part, gate.condition));
  const guards = parts.filter((part) => !isOfLegacy(part));
  return guards.length === parts.length ? undefined : { guards };
}

function conjuncts(condition: ts.Expression): ts.Expression[] {
  const inner = peel(condition);
  const isAnd =
    ts.isBinaryExpression(inner) && inner.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
  return isAnd ? [...conjuncts(inner.left), ...conjuncts(inner.right)] : [inner];
}

function holds(part: ts.Expression, condition: ts.Expression): boolean {
  return (
    part.getSourceFile() === condition.getSourceFile() &&
    part.pos <= condition.pos &&
    condition.end <= part.end
  );
}

/** `server.isConnected()`, `server`, `this.server !== undefined`: false where an instance lives for one request. */
export function isLive(condition: ts.Expression, { receiver }: Publisher): boolean {
  const asked = existing(peel(condition));
  const path = asked === undefined ? undefined : plainText(asked);
  const own = plainText(peel(receiver));
  return path !== undefined && own !== undefined && (own === path || own.startsWith(`${path}.`));
}

/** What a condition asks to be there. */
function existing(condition: ts.Expression): ts.Expression | undefined {
  if (ts.isBinaryExpression(condition)) {
    const { kind } = condition.operatorToken;
    const isDifferent =
      kind === ts.SyntaxKind.ExclamationEqualsEqualsToken || kind === ts.SyntaxKind.ExclamationEqualsToken;
    const isNothing = /^(?:undefined|null)$/.test(condition.right.getText());
    return isDifferent && isNothing ? existing(peel(condition.left)) : undefined;
  }
  if (ts.isPrefixUnaryExpression(condition)) {
    const twice = peel(condition.operand);
    return ts.isPrefixUnaryExpression(twice) ? existing(peel(twice.operand)) : undefined;
  }
  if (ts.isCallExpression(condition)) {
    const callee = peel(condition.expression);
    return ts.isPropertyAccessExpression(callee) && callee.name.text === SERVER_MEMBER.isConnected
      ? callee.expression
      : undefined;
  }
  if (ts.isPropertyAccessExpression(condition) && condition.name.text === 'transport')
    return condition.expression;
  return condition;
}

/** `this.mcp?.server` as `this.mcp.server`; undefined for anything but a name and plain members. */
function plainText(node: ts.Expression): string | undefined {
  const inner = peel(node);
  if (ts.isIdentifier(inner) || inner.kind === ts.SyntaxKind.ThisKeyword) return inner.getText();
  if (!ts.isPropertyAccessExpression(inner)) return undefined;
  const base = plainText(inner.expression);
  return base === undefined ? undefined : `${base}.${inner.name.text}`;
}

/** Whether a publisher stands under a question for the connection (G9). */
export function asksForConnection(condition: ts.Expression): boolean {
  return new RegExp(`\\b${SERVER_MEMBER.isConnected}\\(\\)`).test(condition.getText());
}
