/** Listens that share an id: the id names the subscription, so their notifications cannot be told apart. */
import { METHOD } from '../../../src/protocol/index.js';
import { mayRunAgain } from '../detection/repetition.js';
import { isTestCode } from '../detection/test-code.js';
import { resolve } from '../detection/values.js';
import { listenRequests } from '../detection/wire-requests.js';
import { entryOf } from '../detection/wire-values.js';
import { createRule } from '../rule.js';

export const uniqueListenId = createRule({
  name: 'unique-listen-id',
  docs: {
    description: 'Require an id of its own for each hand-written listen request',
    level: 'MUST',
    recommended: 'error',
  },
  type: 'problem',
  tokens: [METHOD.subscriptionsListen],
  messages: {
    constant: `Every ${METHOD.subscriptionsListen} that this code sends has the id {{id}}. The id names the subscription, so two open ones are one to the server and their notifications cannot be told apart. Count up: \`id: nextId++\`.`,
    nothing: `A request must not have the id null: the id names the subscription, and no notification could be led back to this one. Count up: \`id: nextId++\`.`,
  },
  check({ sourceCode, filename, report }) {
    for (const { object } of listenRequests(sourceCode)) {
      const id = entryOf(sourceCode, object, 'id');
      if (id === undefined || id === 'unknown' || isTestCode(filename, object)) continue;
      const value = resolve(sourceCode, id);
      if (value.type !== 'Literal') continue;
      if (value.value === null && value.raw === 'null') report({ node: id, messageId: 'nothing' });
      else if (mayRunAgain(sourceCode, object))
        report({ node: id, messageId: 'constant', data: { id: value.raw } });
    }
  },
});
