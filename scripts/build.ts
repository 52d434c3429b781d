// Builds dist/: compiles src and codemods, then adds what a compiler does not carry along.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import { importFromTypescriptModule, TYPESCRIPT_MODULE } from './typescript-module.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

/** Read as files by the built program, at the same place relative to the module that reads them. */
const assets = [
  'src/runtime/change-stream.ts',
  'src/reporting/report.schema.json',
  // `mcp-listen lint` and `explain` work without the plugin being installed.
  ...globSync('eslint-plugin/docs/rules/*.md', { cwd: root }),
];

rmSync(dist, { recursive: true, force: true });
execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' });

for (const path of globSync('**/*.js', { cwd: dist })) {
  const file = join(dist, path);
  writeFileSync(file, importFromTypescriptModule(readFileSync(file, 'utf8'), path));
}
writeFileSync(join(dist, TYPESCRIPT_MODULE.path), TYPESCRIPT_MODULE.text);

for (const asset of assets) {
  mkdirSync(dirname(join(dist, asset)), { recursive: true });
  copyFileSync(join(root, asset), join(dist, asset));
}

copyFileSync(join(root, 'eslint-plugin/dist/index.js'), join(dist, 'eslint-plugin/index.js'));

chmodSync(join(dist, 'src/cli/main.js'), 0o755);
