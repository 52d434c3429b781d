/** The edit that opens a subscriber gate for modern connections, on stdio. */
import { modernOr } from '../../../src/codegen/era-guard.js';
import { readFileStyle } from '../../../src/codegen/file-style.js';
import { freeName } from '../../../src/codegen/names.js';
import { REQUEST_CONTEXT } from '../../../src/protocol/index.js';
import {
  contains,
  dressed,
  keyName,
  memberCall,
  parentOf,
  type FunctionNode,
  type Node,
  type SourceCode,
  type TSESLint,
  type TSESTree,
} from '../ast.js';
import { nodesOf } from '../detection/nodes.js';
import { servingsOf } from '../detection/servers.js';
import type { RegistryGate } from '../detection/registry-gates.js';

type Step = (fixer: TSESLint.RuleFixer) => TSESLint.RuleFix;

/** Asks for the era in front of the gate, and catches what a send on a closed server rejects with (T39). */
export function eraGateFix(
  sourceCode: SourceCode,
  gate: RegistryGate,
  emit: TSESTree.CallExpression,
): TSESLint.ReportFixFunction | undefined {
  const factory = servingsOf(sourceCode).find(
    ({ factory: one, argument }) => one !== undefined && one === argument && contains(one, gate.node),
  )?.factory;
  const era = factory === undefined ? undefined : eraIn(sourceCode, factory);
  const caught = catching(sourceCode, emit);
  const opened = era === undefined ? undefined : opening(sourceCode, gate, era.expression);
  if (era === undefined || opened === undefined || caught === undefined) return undefined;
  return (fixer) => [...era.steps, opened, ...caught].map((step) => step(fixer));
}

interface EraQuestion {
  readonly expression: string;
  readonly steps: readonly Step[];
}

/** The era in a factory: of its argument, which it is given where it takes none. */
function eraIn(sourceCode: SourceCode, factory: FunctionNode): EraQuestion | undefined {
  const [parameter, ...others] = factory.params;
  if (others.length > 0) return undefined;
  if (parameter?.type === 'Identifier')
    return { expression: `${parameter.name}.${REQUEST_CONTEXT.era}`, steps: [] };
  if (parameter?.type === 'ObjectPattern') {
    const taken = parameter.properties.find(
      (one) => one.type === 'Property' && keyName(one) === REQUEST_CONTEXT.era,
    );
    return taken?.type === 'Property' && taken.value.type === 'Identifier'
      ? { expression: taken.value.name, steps: [] }
      : undefined;
  }
  if (parameter !== undefined || factory.type !== 'ArrowFunctionExpression') return undefined;
  const open = sourceCode.getFirstToken(factory, { skip: factory.async ? 1 : 0 });
  const close = open === null ? null : sourceCode.getTokenAfter(open);
  if (open?.value !== '(' || close?.value !== ')') return undefined;
  if (sourceCode.commentsExistBetween(open, close)) return undefined;
  const name = freeName(['ctx', 'context'], (one) => new RegExp(`\\b${one}\\b`).test(sourceCode.text));
  return {
    expression: `${name}.${REQUEST_CONTEXT.era}`,
    steps: [
      (fixer) =>
        fixer.replaceTextRange([open.range[0], close.range[1]], isBare(sourceCode) ? name : `(${name})`),
    ],
  };
}

/** Whether the file writes the one parameter of an arrow function without parentheses. */
function isBare(sourceCode: SourceCode): boolean {
  return nodesOf(sourceCode)
    .of('ArrowFunctionExpression')
    .some((arrow) => {
      const [only, ...others] = arrow.params;
      return (
        only?.type === 'Identifier' && others.length === 0 && sourceCode.getTokenBefore(only)?.value !== '('
      );
    });
}

/** The gate with the question for the era in front of it. */
function opening(sourceCode: SourceCode, { node, form }: RegistryGate, era: string): Step | undefined {
  const outer = dressed(node);
  const parent = parentOf(outer);
  const text = sourceCode.getText(outer);
  const style = readFileStyle(sourceCode.text);
  if (form === 'passes') {
    if (parent?.type === 'IfStatement' || parent?.type === 'ConditionalExpression')
      return (fixer) => fixer.replaceText(outer, modernOr(era, text, style));
    return parent?.type === 'LogicalExpression'
      ? (fixer) => fixer.replaceText(outer, `(${modernOr(era, text, style)})`)
      : undefined;
  }
  // if (!subscribed.has(uri)) return;
  return form === 'leaves' && parent?.type === 'UnaryExpression' && parentOf(parent)?.type === 'IfStatement'
    ? (fixer) => fixer.replaceText(parent, `!(${modernOr(era, text, style)})`)
    : undefined;
}

/** The steps by which a floating promise is caught; undefined where it is not clear what a rejection does. */
function catching(sourceCode: SourceCode, emit: TSESTree.CallExpression): readonly Step[] | undefined {
  const outer = dressed(emit);
  const parent = parentOf(outer);
  const after =
    (target: Node): Step =>
    (fixer) =>
      fixer.insertTextAfter(target, '.catch(() => {})');
  if (parent?.type === 'ExpressionStatement') return [after(outer)];
  if (parent?.type === 'UnaryExpression' && parent.operator === 'void') {
    const [token, next] = [sourceCode.getFirstToken(parent), sourceCode.getFirstToken(outer)];
    if (token === null || next === null || sourceCode.commentsExistBetween(token, next)) return undefined;
    return [(fixer) => fixer.removeRange([token.range[0], next.range[0]]), after(outer)];
  }
  if (parent?.type === 'AwaitExpression') return isTried(parent) ? [] : undefined;
  const chained = parent === undefined ? undefined : parentOf(parent);
  return chained?.type === 'CallExpression' && memberCall(chained)?.name === 'catch' ? [] : undefined;
}

function isTried(node: Node): boolean {
  for (
    let at: Node = node, parent = parentOf(at);
    parent !== undefined;
    at = parent, parent = parentOf(parent)
  ) {
    if (parent.type === 'TryStatement' && parent.block === at && parent.handler !== null) return true;
    if (parent.type.includes('Function')) return false;
  }
  return false;
}
