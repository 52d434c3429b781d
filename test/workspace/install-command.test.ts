import { expect, it } from 'vitest';
import { installCommand } from '../../src/workspace/install-command.js';

it.each([
  ['npm', 'npm install "x@^2.4.0"'],
  ['pnpm', 'pnpm add "x@^2.4.0"'],
  ['yarn', 'yarn add "x@^2.4.0"'],
  ['bun', 'bun add "x@^2.4.0"'],
] as const)('adds a dependency to a single package: %s', (manager, command) => {
  expect(installCommand(manager, 'x', '^2.4.0')).toBe(command);
});

it.each([
  ['npm', 'npm install --save-dev @scope/x@2.4.0 --workspace packages/a'],
  ['pnpm', 'pnpm --filter ./packages/a add --save-dev @scope/x@2.4.0'],
  ['yarn', 'yarn --cwd packages/a add --dev @scope/x@2.4.0'],
  ['bun', 'bun add --dev --cwd packages/a @scope/x@2.4.0'],
] as const)('adds a development dependency to a member of a workspace: %s', (manager, command) => {
  expect(installCommand(manager, '@scope/x', '2.4.0', { dev: true, workspacePath: 'packages/a' })).toBe(
    command,
  );
});

it.each([
  ['npm', 'npm install x@2'],
  ['pnpm', 'pnpm add --workspace-root x@2'],
  ['yarn', 'yarn add x@2'],
  ['bun', 'bun add x@2'],
] as const)('adds a dependency to the root of a workspace: %s', (manager, command) => {
  expect(installCommand(manager, 'x', '2', { workspacePath: '.' })).toBe(command);
});
