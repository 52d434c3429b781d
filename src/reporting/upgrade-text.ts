/** What the official codemod did before the migration, told apart from what the migration does. */
import type { RunResult, UpgradeMessage, UpgradeResult } from '../migration/result.js';
import { SDK_CODEMOD_MARKER, V1_PACKAGE } from '../protocol/index.js';
import type { Appearance } from './appearance.js';
import { alignedRows } from './layout.js';
import type { Block } from './sections.js';
import { count, listed } from './wording.js';

/** One block for each upgraded package; nothing where no upgrade was asked for. */
export function upgradeBlocks(
  { upgrades = [] }: RunResult,
  isWritten: boolean,
  appearance: Appearance,
): Block[] {
  return upgrades.flatMap((upgrade) => [
    ...changedBlock(upgrade, isWritten, appearance),
    ...leftBlock(upgrade, isWritten, appearance),
    ...messageBlock('warning', upgrade, appearance),
    ...messageBlock('info', upgrade, appearance),
  ]);
}

function changedBlock(
  { package: path, files, manifest, added, removed }: UpgradeResult,
  isWritten: boolean,
  { colors }: Appearance,
): Block[] {
  if (files.length === 0 && manifest === null) return [];
  const dependencies = Object.entries(added).map(([name, range]) => `${name} ${range}`);
  const sentences = [
    ...(dependencies.length === 0 ? [] : [`${listed(dependencies)} added`]),
    ...(removed ? [`${V1_PACKAGE} removed`] : []),
  ];
  return [
    [
      `${colors.bold(path)} ${isWritten ? 'upgraded' : 'would be upgraded'} to version 2 of the SDK, by the official codemod:`,
      ...(manifest === null ? [] : [`  ${manifest} — ${sentences.join(', ')}`]),
      ...files.map((file) => `  ${file}`),
    ],
  ];
}

function leftBlock({ left }: UpgradeResult, isWritten: boolean, { colors, width }: Appearance): Block[] {
  if (left.length === 0) return [];
  const would = isWritten ? '' : 'that would be ';
  const title = `${count(left.length, 'comment')} of the official codemod (${SDK_CODEMOD_MARKER}) ${would}left to decide:`;
  const rows = left.map(({ file, line, text }) => ({ cells: [`${file}:${line}`], sentence: text }));
  return [[colors.yellow(title), ...alignedRows(rows, '  ', width)]];
}

function messageBlock(
  level: UpgradeMessage['level'],
  { package: path, messages }: UpgradeResult,
  { colors, width }: Appearance,
): Block[] {
  const own = messages.filter((message) => message.level === level);
  if (own.length === 0) return [];
  const rows = [...placesByMessage(own)].map(([sentence, [first = '', ...others]]) => ({
    cells: [others.length === 0 ? first : `${first} and ${others.length} more`],
    sentence,
  }));
  const title = `${count(own.length, level === 'warning' ? 'warning' : 'note')} about the upgrade of ${path}:`;
  return [[level === 'warning' ? colors.yellow(title) : title, ...alignedRows(rows, '  ', width)]];
}

/** The official codemod says the same of many places: each sentence once. The JSON report has all of them. */
function placesByMessage(messages: readonly UpgradeMessage[]): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const { file, line, message } of messages)
    places.set(message, [...(places.get(message) ?? []), line === null ? file : `${file}:${line}`]);
  return places;
}
