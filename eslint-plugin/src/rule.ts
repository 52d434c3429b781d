/** How a rule of this plugin is made: what it is about, how sure it is, and one look at the file as a whole. */
import type { TSESLint } from '@typescript-eslint/utils';
import type { JSONSchema4 } from '@typescript-eslint/utils/json-schema';
import packageJson from '../package.json' with { type: 'json' };
import type { RuleName } from '../../src/protocol/index.js';
import type { Node, SourceCode } from './ast.js';
import { isManagedStreamFile } from './detection/managed-file.js';
import { isUnderMarker } from './detection/markers.js';
import { mentionsMcp } from './detection/evidence.js';
import { packageIndex, type PackageIndex } from './package/package-index.js';
import { readSettings, type Settings } from './settings.js';

/** The rule that reports the markers themselves. */
const MARKERS: RuleName = 'no-unfinished-migration';

/** How binding what a rule checks is: the specification's words, or ours. */
export type Level = 'MUST' | 'SHOULD' | 'advice';

/** A level as a configuration has it. */
export type Severity = 'error' | 'warn';

/** What a rule says about itself. */
export interface RuleDocs {
  /** What the rule asks for, as one phrase: `Require …`, `Disallow …`. */
  readonly description: string;
  readonly level: Level;
  /** Its severity in `recommended`; absent where it is in `strict` alone. */
  readonly recommended?: Severity;
  /** Whether it is one of the rules of `migration`. */
  readonly migration?: boolean;
  /** The options that `strict` turns on. */
  readonly strict?: Readonly<Record<string, boolean>>;
}

/** One report. */
export interface Report<Message extends string> {
  readonly node: Node;
  readonly messageId: Message;
  readonly data?: Readonly<Record<string, string>>;
  readonly fix?: TSESLint.ReportFixFunction | null;
  readonly suggest?: readonly TSESLint.SuggestionReportDescriptor<Message>[] | null;
  /** Where the report stands, where that is not the node. */
  readonly loc?: TSESLint.AST.SourceLocation;
}

/** What a rule looks at. */
export interface CheckedFile<Message extends string, Options> {
  readonly sourceCode: SourceCode;
  readonly settings: Settings;
  readonly options: Options;
  /** Absolute path of the file, as ESLint has it. */
  readonly filename: string;
  /** The other files of the package; undefined where the setting switches them off, or there is no package. */
  readonly otherFiles: PackageIndex | undefined;
  readonly report: (report: Report<Message>) => void;
}

/** A rule as its file writes it down. */
export interface RuleDefinition<Message extends string, Options extends object> {
  readonly name: RuleName;
  readonly docs: RuleDocs;
  readonly type: 'problem' | 'suggestion';
  readonly fixable?: boolean;
  readonly hasSuggestions?: boolean;
  readonly messages: Readonly<Record<Message, string>>;
  /** The properties of its one option object, each with a default. */
  readonly options?: Readonly<Record<keyof Options & string, JSONSchema4>>;
  /** Words of which a file has one, or the rule has nothing to look for. */
  readonly tokens: readonly string[];
  /** Looks at a file, once all of it is parsed. */
  readonly check: (file: CheckedFile<Message, Options>) => void;
}

/** A rule as ESLint loads it, with its name. */
export type Rule = Omit<TSESLint.RuleModule<string, readonly unknown[], RuleDocs>, 'defaultOptions'> & {
  readonly name: RuleName;
};

/** What a rule without options is given. */
export type NoOptions = Readonly<Record<string, never>>;

/** Makes a rule of its definition. */
export function createRule<Message extends string, Options extends object = NoOptions>(
  definition: RuleDefinition<Message, Options>,
): Rule {
  const { name, docs, type, fixable, hasSuggestions, messages, options, tokens, check } = definition;
  const defaults = Object.fromEntries(
    Object.entries<JSONSchema4>(options ?? {}).map(([key, schema]) => [key, schema.default]),
  );
  return {
    name,
    meta: {
      type,
      docs: { ...docs, url: urlOf(name) },
      messages,
      ...(fixable === true ? { fixable: 'code' as const } : {}),
      ...(hasSuggestions === true ? { hasSuggestions: true } : {}),
      schema:
        options === undefined ? [] : [{ type: 'object', properties: options, additionalProperties: false }],
      defaultOptions: options === undefined ? [] : [defaults],
    },
    create(context) {
      const { sourceCode } = context;
      const { text } = sourceCode;
      if (!mentionsMcp(text) || !tokens.some((token) => text.includes(token))) return {};
      // Ours, and tested where it is written; what a person changes in it is theirs to judge.
      if (name !== MARKERS && isManagedStreamFile(context.filename)) return {};
      return {
        'Program:exit'() {
          const settings = readSettings(context.settings);
          check({
            sourceCode,
            settings,
            filename: context.filename,
            get otherFiles() {
              return settings.packageIndex ? packageIndex(context.filename) : undefined;
            },
            options: { ...defaults, ...(context.options[0] as object | undefined) } as Options,
            report(report) {
              if (name !== MARKERS && isUnderMarker(sourceCode, report.node)) return;
              context.report(report);
            },
          });
        },
      };
    },
  };
}

/** The page of a rule, as of this version. */
function urlOf(name: string): string {
  return `https://unpkg.com/eslint-plugin-mcp-listen@${packageJson.version}/docs/rules/${name}.md`;
}
