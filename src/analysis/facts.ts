/** What the analysis knows of a workspace, computed on demand and shared by all codemods. */
import type { ts } from 'ts-morph';
import { V1_PACKAGE, V2_PACKAGES } from '../protocol/index.js';
import { findClientGroups } from './client-groups.js';
import type { ClientGroup, LegacyUse } from './client-group.js';
import type { ServerGroup } from './server-group.js';
import { findServerGroups } from './server-groups.js';
import { findLooseUses } from './loose-uses.js';
import { findCopiedOptionTypes, type CopiedOptionType } from './copied-option-types.js';
import { findSenderCalls, type SenderCall } from './request-senders.js';
import { createClosedWorld, type ClosedWorld } from './closed-world.js';
import { createSourceUnit, type SourceUnit } from './source-unit.js';

/** What codemods ask. */
export interface Facts {
  readonly world: ClosedWorld;
  readonly units: readonly SourceUnit[];
  /** All clients, each with all that belongs to it. */
  readonly clients: readonly ClientGroup[];
  /** All servers, each with its factory and all that this reaches. */
  readonly servers: readonly ServerGroup[];
  /** Calls of 2025 that no client accounts for. */
  readonly looseUses: readonly LegacyUse[];
  /** Subscribe messages that go through a sender of the application's own. */
  readonly senderCalls: readonly SenderCall[];
  /** Types of the application that repeat the SDK's request options, resumption tokens among them. */
  readonly copiedOptionTypes: readonly CopiedOptionType[];
  unitOf(node: ts.Node): SourceUnit;
}

/** A file to be analysed. */
export type SourceInput = Pick<SourceUnit, 'file' | 'path' | 'package' | 'text'>;

/** Parses the inputs and makes their facts available. */
export function createFacts(
  inputs: readonly SourceInput[],
  resolve: (specifier: string, from: string) => string | undefined,
  parsed?: Map<string, ts.SourceFile>,
): Facts {
  const world = createClosedWorld(
    new Map(inputs.map((input) => [input.file, input.text])),
    resolve,
    parsed,
    new Map(inputs.map((input) => [input.file, input.package])),
  );
  const trees = new Map(world.sourceFiles.map((tree) => [tree.fileName, tree]));
  const units = new Map<string, SourceUnit>();
  for (const input of inputs) {
    const tree = trees.get(input.file);
    if (tree !== undefined) units.set(input.file, createSourceUnit(input, tree));
  }
  let clients: readonly ClientGroup[] | undefined;
  let servers: readonly ServerGroup[] | undefined;
  let looseUses: readonly LegacyUse[] | undefined;
  const facts: Facts = {
    world,
    units: [...units.values()],
    get clients() {
      clients ??= findClientGroups(world);
      return clients;
    },
    get servers() {
      servers ??= findServerGroups(world);
      return servers;
    },
    get looseUses() {
      looseUses ??= findLooseUses(world, facts.clients);
      return looseUses;
    },
    get senderCalls() {
      return findSenderCalls(world, facts.clients);
    },
    get copiedOptionTypes() {
      return findCopiedOptionTypes(world, ({ fileName }) => {
        const unit = units.get(fileName);
        return unit !== undefined && importedGeneration(unit) !== undefined;
      });
    },
    unitOf(node) {
      const unit = units.get(node.getSourceFile().fileName);
      if (unit === undefined) throw new Error(`${node.getSourceFile().fileName} is not under analysis`);
      return unit;
    },
  };
  return facts;
}

/**
 * The SDK generation that a file's own imports show; undefined for a file that imports none. An example in a comment
 * is no import; a type in one is.
 */
export function importedGeneration(unit: SourceUnit): 'v1' | 'v2' | undefined {
  const code = unit.text.replaceAll(/^\s*(?:\*|\/\/|\/\*)(?!.*\bimport\().*$/gm, '');
  const specifiers = [
    ...code.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\(\s*)(['"])(@[^'"\n]+)\1/g),
  ].map((match) => match[2] ?? '');
  const isOf = (name: string): boolean =>
    specifiers.some((one) => one === name || one.startsWith(`${name}/`));
  if (isOf(V1_PACKAGE)) return 'v1';
  return V2_PACKAGES.some(isOf) ? 'v2' : undefined;
}
