/** Adds the plugin to a configuration, and says what is left to be typed. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { addPlugin, PLUGIN_PACKAGE } from '../lint/flat-config.js';
import type { Preset } from '../protocol/rules.js';
import { colouredDiff } from '../reporting/diff.js';
import { EXIT } from '../reporting/exit-code.js';
import { enclosingRepository } from '../workspace/files.js';
import { installCommand } from '../workspace/install-command.js';
import { findPackages } from '../workspace/packages.js';
import { relativePosix } from '../workspace/paths.js';
import { writeAtomically } from '../workspace/write.js';
import { appearanceOf } from './terminal.js';
import { readVersion } from './version.js';

/** What ESLint looks for, in its order. */
const CONFIG_NAMES = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'].map(
  (extension) => `eslint.config.${extension}`,
);

/** Edits the configuration of a folder, prints what it did and sets the exit code. */
export function performInit(
  command: Command,
  folder: string,
  { preset, dryRun = false }: { readonly preset: Preset; readonly dryRun?: boolean },
): void {
  const root = resolve(folder);
  if (!existsSync(root) || !statSync(root).isDirectory())
    return command.error(`error: no such folder: ${folder}`);
  const name = CONFIG_NAMES.find((candidate) => existsSync(join(root, candidate)));
  const print = (text: string): boolean => process.stdout.write(text);
  if (name === undefined) {
    print(
      `There is no eslint.config.js in ${folder}; this is one:\n\n${wholeConfig(preset)}\n${nextSteps(root)}`,
    );
    process.exitCode = EXIT.left;
    return;
  }
  const file = join(root, name);
  const bytes = readFileSync(file);
  const before = bytes.toString('utf8');
  const edit = addPlugin(file, before, preset);
  switch (edit.kind) {
    case 'present':
      print(`${name} has ${PLUGIN_PACKAGE} already.\n`);
      return;
    case 'unknown':
      print(
        `${name} has a form that is not known here, so it was left alone. Paste this:\n\n${pasted(preset)}\n${nextSteps(root)}`,
      );
      process.exitCode = EXIT.left;
      return;
    case 'edited': {
      const { colors } = appearanceOf(process.stdout, process.env, process.cwd());
      print(`${colouredDiff([{ file, path: name, before, after: edit.text }], colors)}\n`);
      const problem = dryRun ? undefined : writeAtomically(file, Buffer.from(edit.text), { expected: bytes });
      if (problem !== undefined)
        return command.error(`error: ${relativePosix(root, problem.file)}: ${problem.message}`);
      print(dryRun ? 'Dry run, nothing was written.\n' : `${name} was changed.\n\n${nextSteps(root)}`);
    }
  }
}

function pasted(preset: Preset): string {
  return `  import mcpListen from '${PLUGIN_PACKAGE}';

  // as one more element of the list that is exported:
  mcpListen.configs.${preset},
`;
}

function wholeConfig(preset: Preset): string {
  return `  import mcpListen from '${PLUGIN_PACKAGE}';

  export default [
    // TypeScript is linted where its files are named and a parser is given (typescript-eslint has one):
    // { files: ['**/*.{ts,tsx,mts,cts}'], languageOptions: { parser: tseslint.parser } },
    mcpListen.configs.${preset},
  ];
`;
}

function nextSteps(root: string): string {
  const file = join(root, 'package.json');
  const { packageManager } = findPackages(root, [], enclosingRepository(root)).ownerOf(file);
  const [major = '0', minor = '0'] = readVersion().split('.');
  const install = installCommand(packageManager, PLUGIN_PACKAGE, `^${major}.${minor}.0`, { dev: true });
  return `Next:
  1. install it: ${install}
  2. in CI, beside your other checks (GitHub Actions):

     - run: npx eslint .
`;
}
