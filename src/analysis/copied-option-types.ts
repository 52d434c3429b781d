/** Types of the application that repeat the SDK's request options, resumption tokens among them. */
import { ts } from 'ts-morph';
import { COPIED_OPTIONS, REQUEST_OPTION } from '../protocol/index.js';
import type { ClosedWorld } from './closed-world.js';
import { nodesOfInterest } from './nodes-of-interest.js';
import { classifyReceiver } from './receivers.js';
import { accessedMember, peel, propertyName } from './syntax.js';

/** One interface or type literal. */
export interface CopiedOptionType {
  /** The first of the two names in it. */
  readonly node: ts.TypeElement;
  /** What it is called; for a type without a name, the property. */
  readonly name: string;
  /** Whether a call on an SDK client is given options of this type. */
  readonly isGiven: boolean;
}

/**
 * Finds those that have to do with the SDK: a client's call is given one, or the file imports the SDK and the type has
 * more of its options than `resumptionToken`, a word that other protocols have too (OAI-PMH).
 */
export function findCopiedOptionTypes(
  world: ClosedWorld,
  importsSdk: (file: ts.SourceFile) => boolean,
): CopiedOptionType[] {
  const found = world.sourceFiles.flatMap((file) => (mentions(file) ? tokensDeclaredIn(file) : []));
  if (found.length === 0) return [];
  const given = givenToClients(world);
  return found.flatMap((node): CopiedOptionType[] => {
    const members = membersBeside(node);
    const isGiven = members.some((member) => given.has(member));
    const isCopy = importsSdk(node.getSourceFile()) && members.some(isTelling);
    return isGiven || isCopy ? [{ node, name: nameOf(node), isGiven }] : [];
  });
}

const TOKENS: readonly string[] = [REQUEST_OPTION.resumptionToken, REQUEST_OPTION.onresumptiontoken];

function mentions({ text }: ts.SourceFile): boolean {
  return TOKENS.some((name) => text.includes(name));
}

/** The first token of each type. */
function tokensDeclaredIn(file: ts.SourceFile): ts.TypeElement[] {
  const found: ts.TypeElement[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node))
      found.push(...node.members.filter((member) => TOKENS.includes(optionOf(member))).slice(0, 1));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function optionOf({ name }: ts.TypeElement): string {
  return name === undefined ? '' : (propertyName(name) ?? '');
}

function membersBeside({ parent }: ts.TypeElement): readonly ts.TypeElement[] {
  return ts.isInterfaceDeclaration(parent) || ts.isTypeLiteralNode(parent) ? parent.members : [];
}

function isTelling(member: ts.TypeElement): boolean {
  return COPIED_OPTIONS.some((name) => name === optionOf(member));
}

function nameOf(node: ts.TypeElement): string {
  const { parent } = node;
  if (ts.isInterfaceDeclaration(parent)) return parent.name.text;
  return ts.isTypeAliasDeclaration(parent.parent) ? parent.parent.name.text : optionOf(node);
}

/** What declares the tokens that calls on SDK clients are given. */
function givenToClients(world: ClosedWorld): Set<ts.Node> {
  const given = new Set<ts.Node>();
  for (const file of world.sourceFiles) {
    for (const node of nodesOfInterest(file).operations) {
      if (!ts.isCallExpression(node)) continue;
      // What is asked for comes first, options behind it.
      const options = node.arguments.slice(1);
      const accessed = options.length === 0 ? undefined : accessedMember(peel(node.expression));
      if (accessed === undefined || classifyReceiver(world, accessed.access.expression) !== 'instance')
        continue;
      for (const declaration of options.flatMap((argument) => tokensOf(argument, world.checker)))
        given.add(declaration);
    }
  }
  return given;
}

function tokensOf(options: ts.Expression, checker: ts.TypeChecker): ts.Node[] {
  return TOKENS.flatMap((name) =>
    declarationsOf(checker.getTypeAtLocation(options), name, checker).flatMap((declaration) =>
      sourcesOf(declaration, checker),
    ),
  );
}

function declarationsOf(type: ts.Type, name: string, checker: ts.TypeChecker): ts.Declaration[] {
  const whole = checker.getNonNullableType(type);
  return (whole.isUnion() ? whole.types : [whole]).flatMap(
    (part) => part.getProperty(name)?.declarations ?? [],
  );
}

/** `{ resumptionToken: options.resumptionToken }` and `{ resumptionToken }` hand on what another type declares. */
function sourcesOf(declaration: ts.Declaration, checker: ts.TypeChecker): readonly ts.Node[] {
  if (ts.isPropertyAssignment(declaration)) {
    const value = peel(declaration.initializer);
    return ts.isPropertyAccessExpression(value)
      ? (checker.getSymbolAtLocation(value)?.declarations ?? [])
      : [];
  }
  if (!ts.isShorthandPropertyAssignment(declaration)) return [declaration];
  const [bound] = checker.getShorthandAssignmentValueSymbol(declaration)?.declarations ?? [];
  if (bound === undefined || !ts.isBindingElement(bound)) return [];
  const name = propertyName(bound.propertyName ?? bound.name);
  return name === undefined ? [] : declarationsOf(checker.getTypeAtLocation(bound.parent), name, checker);
}
