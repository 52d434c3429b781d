/** The edit that has a handler refuse streams. */
import { SERVER_OPTION } from '../../../src/protocol/index.js';
import type { SourceCode, TSESTree } from '../ast.js';
import type { Step } from './capability.js';

/** `maxSubscriptions: 0` as the handler's only option; undefined where it has some. */
export function refuseListenStep(sourceCode: SourceCode, call: TSESTree.CallExpression): Step | undefined {
  const [factory, ...others] = call.arguments;
  if (factory === undefined || others.length > 0) return undefined;
  const next = sourceCode.getTokenAfter(factory);
  // A comma that is there already stands for ours.
  return next?.value === ','
    ? (fixer) => fixer.insertTextAfter(next, ` { ${SERVER_OPTION.maxSubscriptions}: 0 }`)
    : (fixer) => fixer.insertTextAfter(factory, `, { ${SERVER_OPTION.maxSubscriptions}: 0 }`);
}
