// What eslint-plugin-eslint-plugin checks of a rule that is written as one object; ours are made by createRule.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rules } from '../../eslint-plugin/src/rules/index.js';
import { REPOSITORY } from './support/parsers.js';

describe.each(rules)('$name', ({ name, meta }) => {
  const source = readFileSync(join(REPOSITORY, 'eslint-plugin/src/rules', `${name}.ts`), 'utf8');
  const messages = Object.entries(meta.messages);

  it('has a test for every message', () => {
    const test = readFileSync(join(REPOSITORY, 'test/eslint-plugin/rules', `${name}.test.ts`), 'utf8');
    expect(messages.map(([id]) => id).filter((id) => !new RegExp(`'${id}\\b`).test(test))).toEqual([]);
  });

  it('gives each message a sentence, and at most three', () => {
    for (const [, text] of messages) {
      expect(text).toMatch(/[.}]$/s);
      expect(text.split(/(?<=[.;])\s+(?=[A-Z])/).length).toBeLessThanOrEqual(3);
    }
  });

  it('names data for every placeholder', () => {
    for (const [, text] of messages)
      for (const [, placeholder] of text.matchAll(/\{\{\s*(\w+)\s*\}\}/g))
        expect(source).toMatch(new RegExp(`\\b${placeholder!}\\b\\s*[,:}]`));
  });

  it('describes itself as a demand', () => {
    expect(meta.docs?.description).toMatch(/^(?:Require|Disallow|Enforce) [^.]+$/);
  });

  it('has options with a type, a default and a description, and no others', () => {
    for (const schema of meta.schema as unknown as {
      properties: Record<string, object>;
      additionalProperties: boolean;
    }[]) {
      expect(schema.additionalProperties).toBe(false);
      for (const property of Object.values(schema.properties))
        expect(property).toEqual(
          expect.objectContaining({ type: 'boolean', default: false, description: expect.any(String) }),
        );
    }
  });
});
