/** Resource URIs of a listen request that are kept or acknowledged, whoever asks for them (I3, I4). */
import type { FilterField } from '../../../src/protocol/index.js';
import { contains, memberName, type Node, type SourceCode } from '../ast.js';
import { find } from '../detection/nodes.js';
import { isTestCode } from '../detection/test-code.js';
import { listenBranches, type ListenBranch } from '../detection/wire-branches.js';
import { keepingsOf } from '../detection/wire-registries.js';
import { servesHttp, surroundings, wordsOf } from '../detection/wire-transport.js';
import { messagesOf } from '../detection/wire.js';
import { constantOf } from '../detection/bindings.js';
import { createRule } from '../rule.js';

/** The field of the filter that names resources. */
const FIELD: FilterField = 'resourceSubscriptions';

export const authorizeFilterUris = createRule({
  name: 'authorize-filter-uris',
  docs: {
    description: 'Require a check of who asks before a hand-written server keeps the URIs of a listen filter',
    level: 'SHOULD',
  },
  type: 'problem',
  tokens: [FIELD],
  messages: {
    unchecked: `Any client gets updates of any resource that it names here, also of those that it may not read. Keep and acknowledge only the URIs that this client may read: \`uris.filter((uri) => mayRead(client, uri))\`.`,
  },
  check({ sourceCode, filename, report }) {
    if (!servesHttp(sourceCode) || ASKS_WHO.test(wordsOf(sourceCode, sourceCode.ast))) return;
    for (const branch of listenBranches(sourceCode)) {
      if (isTestCode(filename, branch.chosenBy)) continue;
      if (CHECKS.test(wordsOf(sourceCode, ...surroundings(branch)))) continue;
      const [used] = urisOf(sourceCode, branch).filter((uris) => isTrusted(sourceCode, branch, uris));
      if (used !== undefined) report({ node: used, messageId: 'unchecked' });
    }
  },
});

/** Words of code that knows its clients. */
const ASKS_WHO =
  /auth|principal|tenant|permi|polic|\bacl|forbid|jwt|bearer|session|token|guard|owner|\buser|role|scope/i;

/** Words of code that judges a URI. */
const CHECKS =
  /\b(?:filter|some|every|includes|has|startsWith|match|test|validate\w*|check\w*|assert\w*|is[A-Z]\w*|can[A-Z]\w*|may[A-Z]\w*|allow\w*|known\w*|exist\w*|parse\w*|find\w*|resolve\w*)\b/;

/** Where a branch reads the URIs of the filter. */
function urisOf(sourceCode: SourceCode, { region }: ListenBranch): Node[] {
  return region.flatMap((root) =>
    find(
      sourceCode,
      root,
      (node): node is Node => node.type === 'MemberExpression' && memberName(node) === FIELD,
    ),
  );
}

/** Whether URIs go into a container or into the acknowledgment, directly or by a name. */
function isTrusted(sourceCode: SourceCode, branch: ListenBranch, uris: Node): boolean {
  const targets = [
    ...keepingsOf(sourceCode)
      .filter((keeping) => keeping.branch === branch)
      .map(({ value }) => value),
    ...messagesOf(sourceCode)
      .filter(({ kind }) => kind === 'acknowledgment')
      .map(({ object }) => object),
  ];
  return targets.some((target) => contains(target, uris) || namesIn(sourceCode, target, uris));
}

function namesIn(sourceCode: SourceCode, target: Node, uris: Node): boolean {
  return find(sourceCode, target, isIdentifier).some((name) => {
    const value = constantOf(sourceCode, name);
    return value !== undefined && contains(value, uris);
  });
}

function isIdentifier(node: Node): node is Extract<Node, { type: 'Identifier' }> {
  return node.type === 'Identifier';
}
