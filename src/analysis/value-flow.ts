/**
 * Which places of a program can hold the same client, server or transport.
 *
 * Cells between which a value can pass are united, without regard to order or to which call it was: the result may be
 * too large, never too small, so that "nothing else reaches this client" can be relied on. Where a value leaves for code
 * that is out of sight, that is recorded as an escape.
 */
import { ts } from 'ts-morph';
import { createCells, type Cell } from './cells.js';
import type { ClosedWorld } from './closed-world.js';
import { mayHoldInstance } from './receivers.js';
import type { Subject } from './subject.js';
import type { Flow, KnownConsumer, MemberUse, TakenMember } from './flow.js';
import { referencesOf } from './references.js';
import { isFunction, propertyName } from './syntax.js';
import { followSources } from './value-sources.js';
import { followUses } from './value-uses.js';

/** Cells that can hold the same client, and what is done with it. */
export interface ValueGroup {
  readonly cells: readonly Cell[];
  readonly members: readonly MemberUse[];
  /** Members taken without an access that names them. */
  readonly taken: readonly TakenMember[];
  /** Expressions by which the client goes where this analysis cannot follow. */
  readonly escapes: readonly ts.Node[];
  /** Cells whose values come from out of sight: a parameter nobody in sight passes, a property nobody sets. */
  readonly origins: readonly Cell[];
}

/** Follows instances of a subject from the given expressions (receivers and creations) through the program. */
export function traceValues(
  world: ClosedWorld,
  subject: Subject,
  seeds: readonly ts.Expression[],
  isConsumer: KnownConsumer,
): Map<ts.Expression, ValueGroup> {
  const cells = createCells(world);
  const parents = new Map<Cell, Cell>();
  const notes = new Map<Cell, Notes>();
  const queue: Cell[] = [];

  const flow: Flow = {
    world,
    subject,
    cells,
    references: referencesOf(world),
    isConsumer,
    unite(one, other) {
      if (one !== other && (!mayHold(flow, one) || !mayHold(flow, other))) return;
      for (const cell of [one, other]) {
        if (parents.has(cell)) continue;
        parents.set(cell, cell);
        queue.push(cell);
      }
      const [first, second] = [root(parents, one), root(parents, other)];
      if (first !== second) parents.set(second, first);
    },
    uniteAll(cell, others) {
      for (const other of others) flow.unite(cell, other);
    },
    member: (cell, use) => notesOf(notes, cell).members.set(use.access, use),
    taken: (cell, member) => notesOf(notes, cell).taken.set(member.node, member),
    escape: (cell, node) => notesOf(notes, cell).escapes.add(node),
    origin: (cell) => {
      notesOf(notes, cell).isOrigin = true;
    },
  };

  const seedCells = new Map<ts.Expression, Cell>();
  for (const seed of seeds) {
    const found = cells.of(seed);
    const first = found[0] ?? seed;
    seedCells.set(seed, first);
    flow.unite(first, first);
    flow.uniteAll(first, found);
    if (found.length === 0) flow.origin(first);
  }
  do {
    for (let cell = queue.pop(); cell !== undefined; cell = queue.pop()) {
      followSources(flow, cell);
      followUses(flow, cell);
    }
    uniteDeclaredProperties(flow, [...parents.keys()]);
  } while (queue.length > 0);
  const groups = gather(parents, notes);
  return new Map(
    [...seedCells].flatMap(([seed, cell]) => {
      const group = groups.get(root(parents, cell));
      return group === undefined ? [] : [[seed, group] as const];
    }),
  );
}

/**
 * A property of an interface, or one that its class only declares, is filled through objects of another type: it may
 * hold what any property of its name holds.
 */
function uniteDeclaredProperties(flow: Flow, cells: readonly Cell[]): void {
  const byName = new Map<string, Cell[]>();
  for (const cell of cells) {
    const name = nameOfProperty(cell);
    if (name === undefined) continue;
    const key = `${flow.world.packageOf(cell)}\0${name}`;
    byName.set(key, [...(byName.get(key) ?? []), cell]);
  }
  for (const ofOne of byName.values()) {
    for (const declared of ofOne.filter((cell) => isOnlyDeclared(cell))) flow.uniteAll(declared, ofOne);
  }
}

function nameOfProperty(cell: Cell): string | undefined {
  const isProperty =
    ts.isPropertySignature(cell) ||
    ts.isPropertyDeclaration(cell) ||
    ts.isPropertyAssignment(cell) ||
    ts.isShorthandPropertyAssignment(cell);
  return isProperty ? propertyName(cell.name) : undefined;
}

function isOnlyDeclared(cell: Cell): boolean {
  if (ts.isPropertySignature(cell)) return true;
  if (!ts.isPropertyDeclaration(cell) || cell.initializer !== undefined) return false;
  const isAbstract = (ts.getCombinedModifierFlags(cell) & ts.ModifierFlags.Abstract) !== 0;
  return (
    isAbstract ||
    !new RegExp(`\\.${cell.name.getText().replace('#', '')}\\s*(?:\\?\\?|\\|\\|)?=[^=>]`).test(
      cell.getSourceFile().text,
    )
  );
}

/** Keeps values apart that only meet in a container: a tuple's other part, a callback's own result. */
function mayHold({ world, subject }: Flow, cell: Cell): boolean {
  return isFunction(cell) || mayHoldInstance(world, world.checker.getTypeAtLocation(cell), subject);
}

interface Notes {
  readonly members: Map<ts.Node, MemberUse>;
  readonly taken: Map<ts.Node, TakenMember>;
  readonly escapes: Set<ts.Node>;
  isOrigin: boolean;
}

function notesOf(notes: Map<Cell, Notes>, cell: Cell): Notes {
  const known = notes.get(cell) ?? {
    members: new Map(),
    taken: new Map(),
    escapes: new Set(),
    isOrigin: false,
  };
  notes.set(cell, known);
  return known;
}

function root(parents: ReadonlyMap<Cell, Cell>, cell: Cell): Cell {
  let current = cell;
  for (
    let parent = parents.get(current);
    parent !== undefined && parent !== current;
    parent = parents.get(current)
  ) {
    current = parent;
  }
  return current;
}

/** The finished groups by their root. */
function gather(parents: ReadonlyMap<Cell, Cell>, notes: ReadonlyMap<Cell, Notes>): Map<Cell, ValueGroup> {
  const members = new Map<Cell, Cell[]>();
  for (const cell of parents.keys()) {
    const key = root(parents, cell);
    members.set(key, [...(members.get(key) ?? []), cell]);
  }
  return new Map(
    [...members].map(([key, cells]) => {
      const noted = cells.flatMap((cell) => notes.get(cell) ?? []);
      const uses = new Map(noted.flatMap((note) => [...note.members]));
      return [
        key,
        {
          cells,
          members: [...uses.values()],
          taken: [...new Map(noted.flatMap((note) => [...note.taken])).values()],
          escapes: [...new Set(noted.flatMap((note) => [...note.escapes]))],
          origins: cells.filter((cell) => notes.get(cell)?.isOrigin === true),
        },
      ];
    }),
  );
}
