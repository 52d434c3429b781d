/** The fixtures of the cases are the cases: what comes out of them is what was asked for, byte for byte. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));
const read = (path: string): string => readFileSync(join(FIXTURES, path), 'utf8');

test.each([
  '03-missing-subscribe-capability',
  '04-kept-subscriber-guard',
  '14-authz-lives-in-subscribe-handler',
])('case %s begins with its input', (name) => {
  expect(read(`server/case-${name}/input.ts`)).toBe(read(`cases/${name}/input.ts`));
});

test.each(['03-missing-subscribe-capability', '04-kept-subscriber-guard'])(
  'case %s ends as expected under --target dual',
  (name) => {
    expect(read(`server/case-${name}/expected.dual.ts`)).toBe(read(`cases/${name}/expected.ts`));
  },
);
