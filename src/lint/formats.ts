/** How results are printed: ESLint's own formatters, and the two that it does not bring. */
import { pathToFileURL } from 'node:url';
import type { ESLint, Linter } from 'eslint';
import { relativePosix } from '../workspace/paths.js';
import type { LintResult } from './lint.js';

/** The formats of `mcp-listen lint`. */
export const LINT_FORMATS = ['stylish', 'json', 'sarif', 'github'] as const;

/** One of {@link LINT_FORMATS}. */
export type LintFormat = (typeof LINT_FORMATS)[number];

/** The text of a result in a format; what a program reads ends with a line break. */
export async function formatted(result: LintResult, format: LintFormat, root: string): Promise<string> {
  switch (format) {
    case 'github':
      return result.results.flatMap((file) => githubLines(file, root)).join('');
    case 'sarif':
      return `${JSON.stringify(sarif(result.results, root), null, 2)}\n`;
    case 'stylish':
    case 'json': {
      const formatter = await result.loadFormatter(format);
      const text = await formatter.format(result.results);
      return format === 'json' ? `${text}\n` : text;
    }
  }
}

/** Workflow commands, which GitHub shows beside the line in a pull request. */
function githubLines({ filePath, messages }: ESLint.LintResult, root: string): string[] {
  const file = escapeProperty(relativePosix(root, filePath));
  return messages.map((message) => {
    const { line, column, endLine, endColumn, ruleId } = message;
    const place = [
      `file=${file}`,
      `line=${String(line)}`,
      `col=${String(column)}`,
      ...(endLine === undefined ? [] : [`endLine=${String(endLine)}`]),
      ...(endColumn === undefined ? [] : [`endColumn=${String(endColumn)}`]),
      ...(ruleId === null ? [] : [`title=${escapeProperty(ruleId)}`]),
    ].join(',');
    return `::${levelOf(message)} ${place}::${escapeData(message.message)}\n`;
  });
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

function levelOf({ severity }: Linter.LintMessage): 'error' | 'warning' {
  return severity === 2 ? 'error' : 'warning';
}

/** SARIF 2.1.0, which code scanning takes. */
function sarif(results: readonly ESLint.LintResult[], root: string): object {
  const rules = [
    ...new Set(results.flatMap(({ messages }) => messages.flatMap(({ ruleId }) => ruleId ?? []))),
  ].sort();
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'mcp-listen',
            informationUri: 'https://www.npmjs.com/package/mcp-listen',
            rules: rules.map((id) => ({ id })),
          },
        },
        originalUriBaseIds: { ROOT: { uri: pathToFileURL(`${root}/`).href } },
        results: results.flatMap(({ filePath, messages }) =>
          messages.map((message) => ({
            ...(message.ruleId === null
              ? {}
              : { ruleId: message.ruleId, ruleIndex: rules.indexOf(message.ruleId) }),
            level: levelOf(message),
            message: { text: message.message },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: {
                    uri: encodeURI(relativePosix(root, filePath)),
                    uriBaseId: 'ROOT',
                  },
                  region: regionOf(message),
                },
              },
            ],
          })),
        ),
      },
    ],
  };
}

function regionOf({ line, column, endLine, endColumn }: Linter.LintMessage): object {
  return {
    startLine: line,
    startColumn: column,
    ...(endLine === undefined ? {} : { endLine }),
    ...(endColumn === undefined ? {} : { endColumn }),
  };
}
