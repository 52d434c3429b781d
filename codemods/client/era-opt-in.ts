/** A client that was given a listen is told to negotiate the modern era; one that was not is left as it is. */
import { ts } from 'ts-morph';
import type { Creation } from '../../src/analysis/client-group.js';
import { literalBehind } from '../../src/analysis/era.js';
import type { Facts } from '../../src/analysis/facts.js';
import type { Site } from '../../src/analysis/site.js';
import { peel, propertyOf } from '../../src/analysis/syntax.js';
import { indentAt } from '../../src/codegen/file-style.js';
import { negotiationMode, negotiationProperty } from '../../src/codegen/negotiation.js';
import { CLIENT_CLASS, CLIENT_OPTION, HEADER, SDK_SCOPE } from '../../src/protocol/index.js';
import type { Codemod, FileEdit, Outcome, Target } from '../codemod.js';
import { outcomeByGroup } from './group-outcome.js';
import { handlersToServe } from './obstacles.js';
import { callsToRewrite } from './subscribe-calls.js';

/** The codemod for the constructor's options. */
export const eraOptIn: Codemod = {
  name: 'client/era-opt-in',
  removes: 'era',
  tokens: [SDK_SCOPE, CLIENT_CLASS],

  find(facts) {
    return facts.clients.flatMap((group) => [
      ...group.creations.map((creation): Site => ({
        unit: facts.unitOf(creation.node),
        node: creation.node,
        side: 'client',
        shape: 'ERA',
        mechanism: 'era',
        group,
        confidence: 'certain',
      })),
      ...group.legacyUses.map((use): Site => ({
        unit: facts.unitOf(use.node),
        node: use.node,
        side: 'client',
        shape: 'LEGACY_CALL',
        mechanism: 'legacy-call',
        group,
        confidence: group.certain ? 'certain' : 'review',
      })),
    ]);
  },

  rewrite(site, facts, target) {
    if (site.shape === 'LEGACY_CALL') return keepLegacyUse(site);
    const creation = site.group.creations.find((candidate) => candidate.node === site.node);
    if (creation === undefined) throw new Error('a site of another codemod');
    if (callsToRewrite(site.group).length === 0 && handlersToServe(site.group).length === 0) {
      return { kind: 'kept', reason: nothingToListenFor(site, creation) };
    }
    const byGroup = outcomeByGroup(site, facts, target);
    if (byGroup?.kind === 'marked') return { kind: 'kept', reason: byGroup.text };
    return byGroup ?? optIn(site, creation, facts, target);
  },
};

function keepLegacyUse(site: Site): Outcome {
  const use = site.group.legacyUses.find((candidate) => candidate.node === site.node);
  return use?.era === 'legacy'
    ? { kind: 'kept', reason: 'runs on the legacy era only: the code around it has checked' }
    : {
        kind: 'kept',
        reason: `${use?.label ?? 'it'} works on a 2025 connection alone and keeps its client there`,
      };
}

function nothingToListenFor(site: Site, creation: Creation): string {
  if (site.group.listens.length > 0) return `listens already (era: ${creation.era})`;
  if (creation.listChangedOption.length > 0)
    return 'its listChanged option opens its own stream where the era allows';
  return 'it subscribes to nothing and handles no change notification';
}

function optIn(site: Site, creation: Creation, facts: Facts, target: Target): Outcome {
  const negotiated = site.group.negotiations[0];
  if (negotiated !== undefined) {
    return negotiated.era === 'auto' || negotiated.era === 'pin'
      ? { kind: 'kept', reason: 'setVersionNegotiation() opts it in' }
      : {
          kind: 'marked',
          text: 'which era setVersionNegotiation() asks for cannot be read here: ask for the modern one',
          blocks: false,
        };
  }
  switch (creation.era) {
    case 'pin':
      return { kind: 'kept', reason: 'pinned already' };
    case 'auto':
      return target === 'dual'
        ? { kind: 'kept', reason: 'negotiates already' }
        : pinInstead(site, creation, facts);
    case 'unknown':
      return {
        kind: 'marked',
        text: `these options are not written out here: add ${negotiationProperty(target, site.unit.style)} to them`,
        blocks: false,
      };
    default:
      return addNegotiation(site, creation, facts, target);
  }
}

/** `mode: 'auto'` → `mode: { pin: '2026-07-28' }` */
function pinInstead(site: Site, creation: Creation, facts: Facts): Outcome {
  const options =
    creation.options === undefined ? undefined : literalBehind(creation.options, facts.world.checker);
  const negotiation =
    options === undefined ? undefined : propertyOf(options, CLIENT_OPTION.versionNegotiation);
  const value =
    negotiation !== undefined && ts.isPropertyAssignment(negotiation)
      ? literalBehind(negotiation.initializer, facts.world.checker)
      : undefined;
  const mode = value === undefined ? undefined : propertyOf(value, CLIENT_OPTION.mode);
  if (mode === undefined || !ts.isPropertyAssignment(mode)) {
    return { kind: 'marked', text: 'pin this client to the modern revision', blocks: false };
  }
  const unit = facts.unitOf(mode);
  return rewritten(
    [
      {
        file: unit.file,
        start: mode.initializer.getStart(),
        end: mode.initializer.end,
        text: negotiationMode('modern', unit.style),
        reason: 'pinned to the modern revision',
      },
    ],
    site,
    'modern',
  );
}

function addNegotiation(site: Site, creation: Creation, facts: Facts, target: Target): Outcome {
  const { node } = creation;
  const property = negotiationProperty(target, site.unit.style);
  if (creation.options === undefined) return addArgument(site, node, property, target);
  const inner = peel(creation.options);
  if (ts.isObjectLiteralExpression(inner))
    return rewritten([propertyEdit(inner, property, facts)], site, target);
  const literal = literalBehind(creation.options, facts.world.checker);
  if (literal === undefined || sharedByOthers(literal, node, facts)) {
    return { kind: 'marked', text: `add ${property} to these options`, blocks: false };
  }
  return rewritten([propertyEdit(literal, property, facts)], site, target);
}

/** `new Client(info)` → `new Client(info, { … })` */
function addArgument(site: Site, node: ts.NewExpression, property: string, target: Target): Outcome {
  const info = node.arguments?.[0];
  if (info === undefined || ts.isSpreadElement(info)) {
    return { kind: 'marked', text: `give this client the option ${property}`, blocks: false };
  }
  const edit = (start: number, text: string): FileEdit => ({
    file: site.unit.file,
    start,
    end: start,
    text,
    reason: 'opts in to the modern era',
  });
  const { text, style } = site.unit;
  const last = info.end;
  const broken = text.slice(node.arguments?.pos ?? info.pos, info.getStart()).includes('\n');
  if (!broken) return rewritten([edit(last, `, { ${property} }`)], site, target);
  const indent = indentAt(text, info.getStart());
  return rewritten([edit(last, `,${style.eol}${indent}{ ${property} }`)], site, target);
}

/** Adds a property to an object literal in the literal's own layout. */
function propertyEdit(literal: ts.ObjectLiteralExpression, property: string, facts: Facts): FileEdit {
  const unit = facts.unitOf(literal);
  const { style, text } = unit;
  const reason = 'opts in to the modern era';
  const last = literal.properties[literal.properties.length - 1];
  if (last === undefined) {
    const inside = text.slice(literal.getStart() + 1, literal.end - 1);
    if (inside.trim() === '') {
      return {
        file: unit.file,
        start: literal.getStart() + 1,
        end: literal.end - 1,
        text: ` ${property} `,
        reason,
      };
    }
    return {
      file: unit.file,
      start: literal.getStart() + 1,
      end: literal.getStart() + 1,
      text: ` ${property},`,
      reason,
    };
  }
  const insert = (start: number, added: string): FileEdit => ({
    file: unit.file,
    start,
    end: start,
    text: added,
    reason,
  });
  const broken = text.slice(literal.getStart(), last.getStart()).includes('\n');
  const separator = broken ? `${style.eol}${indentAt(text, last.getStart())}` : ' ';
  const { hasTrailingComma } = literal.properties;
  // Behind the last comma where there is one, so that the list keeps its way of ending.
  if (hasTrailingComma) return insert(literal.properties.end, `${separator}${property},`);
  return insert(last.end, `,${separator}${property}`);
}

/** Whether options kept in a constant are given to more than this client. */
function sharedByOthers(literal: ts.ObjectLiteralExpression, node: ts.NewExpression, facts: Facts): boolean {
  const declaration = literal.parent;
  if (!ts.isVariableDeclaration(declaration) || !ts.isIdentifier(declaration.name)) return true;
  const { name } = declaration;
  const symbol = facts.world.checker.getSymbolAtLocation(name);
  let uses = 0;
  const visit = (current: ts.Node): void => {
    if (ts.isIdentifier(current) && current.text === name.text && current !== name) {
      if (facts.world.checker.getSymbolAtLocation(current) === symbol) uses += 1;
    }
    ts.forEachChild(current, visit);
  };
  visit(node.getSourceFile());
  const isExported =
    ts.isVariableStatement(declaration.parent.parent) &&
    (declaration.parent.parent.modifiers?.length ?? 0) > 0;
  return literal.getSourceFile() !== node.getSourceFile() || uses !== 1 || isExported;
}

function rewritten(edits: FileEdit[], site: Site, target: Target): Outcome {
  return {
    kind: 'rewritten',
    edits,
    reason: ['opts in to the modern era', ...consequences(site, target)].join('; '),
  };
}

/** What the opt-in changes besides (T3, T43): said with it, since it shows in no diff. */
function consequences(site: Site, target: Target): string[] {
  const transports = new Set(site.group.connects.map((connect) => connect.transport));
  const said: string[] = [];
  if (transports.has('stdio') && target === 'dual') {
    said.push(
      'over stdio the server is started twice to find its era, and probe: { timeoutMs } bounds the wait for one that stays silent',
    );
  }
  if (runsInBrowser(site) && (transports.has('http') || transports.has(undefined))) {
    said.push(
      `in a browser the server's CORS list must allow ${HEADER.protocolVersion} and ${HEADER.method}, else it silently stays on the 2025 era`,
    );
  }
  return said;
}

function runsInBrowser({ unit }: Site): boolean {
  return (
    /\.[jt]sx$/.test(unit.file) ||
    /\b(?:window|document|localStorage)\s*\.|from ['"]react['"]/.test(unit.text)
  );
}
