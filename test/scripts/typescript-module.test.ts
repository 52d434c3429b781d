// The built program loads TypeScript by require(): a static import of ts-morph would double the time that takes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import type * as TsMorph from 'ts-morph';
import { expect, it } from 'vitest';
import { importFromTypescriptModule, TYPESCRIPT_MODULE } from '../../scripts/typescript-module.js';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));

it('no built module imports ts-morph, and those that used to have TypeScript from one module', () => {
  const modules = globSync('**/*.js', { cwd: dist }).map((path) => ({
    path,
    text: readFileSync(join(dist, path), 'utf8'),
  }));
  const importing = (specifier: RegExp) => modules.filter(({ text }) => specifier.test(text));
  expect(importing(/^(?:import|export)\b.*'ts-morph'/m).map(({ path }) => path)).toEqual([]);
  expect(importing(/^import \{ ts \} from '(?:\.\.?\/)+typescript\.js';$/m).length).toBeGreaterThan(10);
});

it('that module is the TypeScript of ts-morph itself', async () => {
  const module = new URL('../../dist/typescript.js', import.meta.url).href;
  const built = (await import(module)) as Pick<typeof TsMorph, 'ts'>;
  const { ts } = await import('ts-morph');
  expect(built.ts.createProgram).toBe(ts.createProgram);
  expect(Object.keys(built.ts).sort()).toEqual(
    Object.keys(ts)
      .filter((name) => name !== 'default')
      .sort(),
  );
});

it('an import that the build cannot redirect stops it', () => {
  const { path } = TYPESCRIPT_MODULE;
  expect(importFromTypescriptModule(`import { ts } from 'ts-morph';\n`, 'a/b.js')).toBe(
    `import { ts } from '../${path}';\n`,
  );
  expect(importFromTypescriptModule(`import { ts } from 'ts-morph';\n`, 'b.js')).toBe(
    `import { ts } from './${path}';\n`,
  );
  expect(() => importFromTypescriptModule(`import { Project } from 'ts-morph';\n`, 'a/b.js')).toThrow(
    'dist/a/b.js imports ts-morph other than by',
  );
  expect(() => importFromTypescriptModule(`await import('ts-morph');\n`, 'a/b.js')).toThrow('dist/a/b.js');
});
