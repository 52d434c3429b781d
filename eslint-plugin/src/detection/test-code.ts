/** Whether code belongs to a test: there, wrong messages are sent on purpose, and nothing lives long. */
import { enclosingFunctions, memberName, peel, type Node } from '../ast.js';
import { packageRoot } from '../package/package-root.js';

const TEST_FILE = /[.-](?:test|spec|e2e)\.[cm]?[jt]sx?$/;

const TEST_FOLDER = /(?:^|[\\/])(?:__tests__|__mocks__|tests?|e2e|fixtures?)[\\/]/;

const TEST_FUNCTIONS = new Set(['it', 'test', 'describe', 'beforeEach', 'beforeAll', 'before', 'suite']);

/** Whether a node is in a test file, or in what is handed to `it`, `test`, `describe` and the like. */
export function isTestCode(filename: string, node: Node): boolean {
  return (
    TEST_FILE.test(filename) ||
    TEST_FOLDER.test(pathInPackage(filename)) ||
    enclosingFunctions(node).some(isHandedToTest)
  );
}

/** Where a package lies is nobody's choice of words. */
function pathInPackage(filename: string): string {
  const root = packageRoot(filename);
  return root === undefined ? '' : filename.slice(root.length);
}

function isHandedToTest(declared: Node): boolean {
  const call = declared.parent;
  if (call?.type !== 'CallExpression') return false;
  let callee = peel(call.callee);
  // it.only(…), test.each(table)(…)
  while (callee.type === 'MemberExpression' || callee.type === 'CallExpression') {
    if (callee.type === 'MemberExpression' && memberName(callee) === undefined) return false;
    callee = peel(callee.type === 'MemberExpression' ? callee.object : callee.callee);
  }
  return callee.type === 'Identifier' && TEST_FUNCTIONS.has(callee.name);
}
