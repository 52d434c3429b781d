/** Variables and fields that only fed a header: once that is not sent, what keeps them up to date goes as well. */
import type { Edit } from '../../src/codegen/edit.js';
import {
  accessesOf,
  bindingOf,
  classMember,
  isNameOnly,
  ownerOf,
  referencesTo,
  type Binding,
} from './bindings.js';
import { child, contains, isMember, list, memberName, within, type Node } from './tree.js';
import { isPure, removal, statementRemoval } from './text-edits.js';
import { siblingsOf, type WireModule } from './wire-module.js';

const REASON = 'kept only what is not sent any more';

/**
 * The edits that remove what nobody reads any more.
 *
 * @param removed what goes anyway: the headers that were fed
 */
export function bookkeepingEdits(module: WireModule, removed: readonly Node[]): Edit[] {
  const isRemoved = (node: Node): boolean => removed.some((part) => contains(part, node));
  const variables = new Map<Node, Binding>();
  const fields = new Map<string, { readonly owner: Node; readonly name: string }>();
  for (const part of removed) {
    for (const node of within(part)) {
      const owner = isMember(node) ? ownerOf(module, node) : undefined;
      const name = memberName(node);
      if (owner !== undefined && name !== undefined)
        fields.set(`${String(owner.start)} ${name}`, { owner, name });
      const binding =
        node.type === 'Identifier' && !isNameOnly(module, node) ? bindingOf(module, node) : undefined;
      if (binding !== undefined) variables.set(binding.node, binding);
    }
  }
  const edits = [
    ...[...variables.values()].flatMap((binding) => variableEdits(module, binding, isRemoved)),
    ...[...fields.values()].flatMap(({ owner, name }) => fieldEdits(module, owner, name, isRemoved)),
  ];
  return [...edits, ...feederEdits(module, edits, isRemoved)];
}

/** `const id = …` that was only read to be kept. */
function feederEdits(module: WireModule, edits: readonly Edit[], isRemoved: (node: Node) => boolean): Edit[] {
  const isGone = (node: Node): boolean =>
    isRemoved(node) || edits.some(({ start, end }) => start <= node.start && node.end <= end);
  const feeders = new Map<Node, Binding>();
  for (const identifier of module.of('Identifier')) {
    if (!edits.some(({ start, end }) => start <= identifier.start && identifier.end <= end)) continue;
    const binding = isNameOnly(module, identifier) ? undefined : bindingOf(module, identifier);
    if (binding?.kind === 'const' && !isGone(binding.node)) feeders.set(binding.node, binding);
  }
  return [...feeders.values()].flatMap((binding) => {
    const { declaration } = binding;
    const init = child(declaration, 'init');
    const whole = module.parentOf(declaration);
    const isPlain =
      whole !== undefined &&
      init !== undefined &&
      child(declaration, 'id') === binding.node &&
      list(whole, 'declarations').length === 1 &&
      siblingsOf(module, whole) !== undefined &&
      isPure(init);
    return isPlain && referencesTo(module, binding).every(isGone) ? [removal(module, whole, REASON)] : [];
  });
}

function variableEdits(module: WireModule, binding: Binding, isRemoved: (node: Node) => boolean): Edit[] {
  const { declaration, kind } = binding;
  if ((kind !== 'let' && kind !== 'var') || child(declaration, 'id') !== binding.node) return [];
  const init = child(declaration, 'init');
  const whole = module.parentOf(declaration);
  if (whole === undefined || list(whole, 'declarations').length !== 1) return [];
  if (init !== undefined && !isPure(init)) return [];
  if (module.parentOf(whole)?.type === 'ExportNamedDeclaration') return [];
  const writes = writesIn(module, referencesTo(module, binding), isRemoved);
  return writes === undefined ? [] : [removal(module, whole, REASON), ...writes];
}

function fieldEdits(
  module: WireModule,
  owner: Node,
  name: string,
  isRemoved: (node: Node) => boolean,
): Edit[] {
  const member = classMember(owner, name);
  const isField =
    member !== undefined &&
    ['ClassProperty', 'PropertyDefinition', 'ClassPrivateProperty'].includes(member.type) &&
    (name.startsWith('#') || member['accessibility'] === 'private');
  const value = child(member, 'value');
  if (!isField || (value !== undefined && !isPure(value))) return [];
  const writes = writesIn(module, accessesOf(module, owner, name), isRemoved);
  return writes === undefined ? [] : [removal(module, member, REASON), ...writes];
}

/** The edits that take out all writes; undefined where something is read, or cannot be taken out. */
function writesIn(
  module: WireModule,
  places: readonly Node[],
  isRemoved: (node: Node) => boolean,
): Edit[] | undefined {
  const left = places.filter((place) => !isRemoved(place));
  const edits: Edit[] = [];
  for (const statement of new Set(left.flatMap((place) => writeOf(module, place) ?? []))) {
    const edit = statementRemoval(module, statement, REASON);
    if (edit === undefined) return undefined;
    edits.push(edit);
  }
  // What is read to be written, in `if (id !== last) last = id;`, goes with it.
  const isCovered = (place: Node): boolean =>
    edits.some(({ start, end }) => start <= place.start && place.end <= end);
  return left.every(isCovered) ? edits : undefined;
}

/** The statement that assigns to a place, and does nothing else. */
function writeOf(module: WireModule, place: Node): Node | undefined {
  const assignment = module.parentOf(place);
  const statement = assignment === undefined ? undefined : module.parentOf(assignment);
  const right = child(assignment, 'right');
  const isWrite =
    assignment?.type === 'AssignmentExpression' &&
    child(assignment, 'left') === place &&
    right !== undefined &&
    isPure(right);
  return isWrite && statement?.type === 'ExpressionStatement' ? statement : undefined;
}
