/** The command `mcp-listen explain`. */
import type { Command } from 'commander';
import { RULE_NAMES } from '../protocol/rules.js';
import { DOCUMENTATION, withVersion } from './options.js';

/** Adds the command. */
export function addExplain(program: Command, version: string): void {
  withVersion(program.command('explain'), version)
    .summary("print a lint rule's page")
    .description(
      "Prints a lint rule's page: what it reports, why, what is right in both eras, when it stays silent.",
    )
    .argument('[rule]', 'its name, with or without mcp-listen/ before it; without one, all rules are listed')
    .addHelpText('after', HELP)
    .action(async (name: string | undefined, _options: object, command: Command) => {
      if (name === undefined) {
        process.stdout.write(RULE_NAMES.map((rule) => `${rule}\n`).join(''));
        return;
      }
      const { readPage, ruleNamed } = await import('../lint/plugin.js');
      const rule = ruleNamed(name);
      if (rule === undefined) return command.error(`error: ${await unknownRule(name)}`);
      const { pageText } = await import('./page-text.js');
      const { appearanceOf } = await import('./terminal.js');
      process.stdout.write(
        pageText(rule, readPage(rule), appearanceOf(process.stdout, process.env, process.cwd()).colors),
      );
    });
}

async function unknownRule(name: string): Promise<string> {
  const { closestName } = await import('./closest-name.js');
  const meant = closestName(name.replace(/^mcp-listen\//, ''), RULE_NAMES);
  const hint = meant === undefined ? 'mcp-listen explain lists all rules' : `did you mean ${meant}?`;
  return `there is no rule ${name}: ${hint}`;
}

const HELP = `
Examples:
  mcp-listen explain no-unchecked-ack
  mcp-listen explain mcp-listen/require-modern-era | less
  mcp-listen explain

Exit codes:
  0  printed
  2  there is no such rule
${DOCUMENTATION}`;
