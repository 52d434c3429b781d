/** A table by method that knows the subscription of 2025 alone treats a listen as a method that it never heard of. */
import { LEGACY_REVISION, METHOD, V1_PACKAGE, V2_PACKAGES } from '../../../src/protocol/index.js';
import { isFunction, type SourceCode } from '../ast.js';
import { methodTables, namesAround, type MethodRow, type MethodTable } from '../detection/method-tables.js';
import { eraAt } from '../detection/era.js';
import { isTestFile } from '../detection/test-files.js';
import { speaksVersionOneAlone } from '../package/sdk-version.js';
import { createRule } from '../rule.js';
import { rowFixes } from '../suggestions/method-row.js';

interface Options {
  readonly allTables: boolean;
}

export const listenInMethodTables = createRule<'security' | 'table' | 'addRow', Options>({
  name: 'listen-in-method-tables',
  docs: {
    description: `Require a row for ${METHOD.subscriptionsListen} in tables that are keyed by method`,
    level: 'advice',
    recommended: 'error',
    strict: { allTables: true },
  },
  type: 'problem',
  hasSuggestions: true,
  tokens: [METHOD.resourcesSubscribe],
  messages: {
    security: `This table decides what {{old}} may do and has no row for {{listen}}, which takes its place: a listen falls to the default, and with it every resource that its filter names. Add the row, and check the URIs of the filter.`,
    table: `This table knows {{old}} and not {{listen}}, which takes its place: a listen is treated as a method nobody has heard of. Add a row; keep the old one for clients of 2025.`,
    addRow: 'Add a row for {{listen}}.',
  },
  options: {
    allTables: {
      type: 'boolean',
      default: false,
      description:
        'Report any table, switch or list of methods, not only those of permissions, roles and rates.',
    },
  },
  check({ sourceCode, filename, options, report }) {
    if (isTestFile(sourceCode, filename) || speaksLegacyAlone(sourceCode, filename)) return;
    const tables = methodTables(sourceCode);
    const data = { old: METHOD.resourcesSubscribe, listen: METHOD.subscriptionsListen };
    for (const table of tables) {
      const row = rowOf(table, METHOD.resourcesSubscribe);
      if (row === undefined || table.isOpen || rowOf(table, METHOD.subscriptionsListen) !== undefined)
        continue;
      if (isOfOneEra(sourceCode, table) || isSplitByEra(table, tables) || isHandlerTable(table)) continue;
      const isSecurity = decides(table);
      if (!isSecurity && !options.allTables) continue;
      report({
        node: row.node,
        messageId: isSecurity ? 'security' : 'table',
        data,
        suggest: rowFixes(sourceCode, table, row, METHOD.subscriptionsListen).map((fix) => ({
          messageId: 'addRow',
          data,
          fix,
        })),
      });
    }
  },
});

function rowOf({ rows }: MethodTable, method: string): MethodRow | undefined {
  return rows.find((row) => row.method === method);
}

/** Version 1 of the SDK in the file or in its package: nothing there answers a listen. */
function speaksLegacyAlone({ text }: SourceCode, filename: string): boolean {
  const importsNewer = V2_PACKAGES.some((name) => text.includes(name));
  return !importsNewer && (text.includes(V1_PACKAGE) || speaksVersionOneAlone(filename));
}

/** A table that says of itself that it is about 2025, or about what is gone. */
function isOfOneEra(sourceCode: SourceCode, table: MethodTable): boolean {
  if (eraAt(sourceCode, table.node) === 'legacy') return true;
  return namesAround(table).some((name) => OLD.test(name));
}

const OLD = new RegExp(
  `legacy|removed|dropped|deprecated|obsolete|unsupported|${LEGACY_REVISION.slice(0, 4)}`,
  'i',
);

/** Another table of the file has the row for the other era. */
function isSplitByEra(table: MethodTable, tables: readonly MethodTable[]): boolean {
  return tables.some(
    (other) =>
      other !== table &&
      rowOf(other, METHOD.subscriptionsListen) !== undefined &&
      rowOf(other, METHOD.resourcesSubscribe) === undefined,
  );
}

/** Handlers of requests: an entry of the SDK answers a listen by itself, and a row for it would be wrong. */
function isHandlerTable({ kind, rows }: MethodTable): boolean {
  return kind !== 'list' && kind !== 'switch' && rows.every(({ value }) => isFunction(value));
}

const DECIDING =
  /permission|privilege|scope|role|access|acl\b|polic(?:y|ies)|allow|grant|authori[sz]|require|rate|limit|quota|throttle|budget/i;

/** Whether a table is about who may do what, or how often: by what it stands under, or by what its rows hold. */
function decides(table: MethodTable): boolean {
  return (
    namesAround(table).some((name) => DECIDING.test(name)) ||
    table.rows.some(
      ({ value }) =>
        value?.type === 'ObjectExpression' &&
        value.properties.some(
          (property) =>
            property.type === 'Property' &&
            property.key.type === 'Identifier' &&
            /^(?:scopes?|roles?|permissions?|limit|rateLimit|perMinute|window)$/.test(property.key.name),
        ),
    )
  );
}
