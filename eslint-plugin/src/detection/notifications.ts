/** The method that an argument names: by its string, or by the SDK's schema constant of version 1. */
import { methodOfSchema, SDK_SCOPE } from '../../../src/protocol/index.js';
import type { Node, SourceCode } from '../ast.js';
import { importOf } from './bindings.js';
import { stringOf } from './values.js';

/** `'notifications/tools/list_changed'` or `ToolListChangedNotificationSchema`; undefined where it cannot be read. */
export function methodNamed(sourceCode: SourceCode, argument: Node | undefined): string | undefined {
  if (argument === undefined) return undefined;
  const text = stringOf(sourceCode, argument);
  if (text !== undefined) return text;
  const imported = importOf(sourceCode, argument);
  return imported?.module.startsWith(SDK_SCOPE) === true ? methodOfSchema(imported.name) : undefined;
}
