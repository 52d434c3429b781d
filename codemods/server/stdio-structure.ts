/** How a server that is wired to stdio by hand is built, and what of that has to become its factory. */
import { ts } from 'ts-morph';
import type { Facts } from '../../src/analysis/facts.js';
import { referencesOf } from '../../src/analysis/references.js';
import { functionsBehind } from '../../src/analysis/server-entries.js';
import type { ServerEntry, ServerGroup } from '../../src/analysis/server-group.js';
import { contains, dressed, peel, statementListOf } from '../../src/analysis/syntax.js';
import { SERVER_SYMBOL } from '../../src/protocol/index.js';
import type { Obstacle } from '../obstacle.js';
import { otherEffect, processEndIn, sharedEndIn } from './building.js';
import type { Destination } from './move.js';
import { builtStatements, type BuiltStatements } from './built-statements.js';
import { isOfThis, newInstance } from './class-source.js';
import { changedBehind, isRepeatable } from './repeatable.js';
import { madeObstacle } from './construction.js';
import { sourceOf, type HeldIn, type ServerSource } from './server-source.js';
import { extentOf } from './statement-extent.js';
import { closedBy, connectionOf, type Connection } from './stdio-connection.js';
import { shortText } from '../../src/analysis/short-text.js';

/** What becomes of one connection. */
export type StdioStructure = BuiltStructure | InstanceStructure;

interface Parts {
  readonly connection: Connection;
  /** The statements that become a function of the module. */
  readonly region: readonly ts.Statement[];
  /** The statements in front of the connection that become part of the factory there. */
  readonly prepared: readonly ts.Statement[];
  /** The functions that are called to make the server. */
  readonly makers: readonly ts.SignatureDeclaration[];
  /** Where the server or its transport is closed: the path that is closed there. */
  readonly closed: readonly ts.Node[];
}

/** A server that is made by a call or creation in sight. */
export interface BuiltStructure extends Parts {
  /**
   * - `expression`: the call that makes the server is the factory.
   * - `block`: the statements that build it become the factory where they stand, in front of the connection.
   * - `region`: statements of the module become a function, and those in front of the connection call it.
   */
  readonly form: 'expression' | 'block' | 'region';
  readonly source: ServerSource;
}

/** A server of the object whose method connects it. */
export interface InstanceStructure extends Parts {
  readonly form: 'instance';
  /** The server of a new one, as it is written. */
  readonly instance: string;
}

export function isStdio({ kind, transport }: ServerEntry): boolean {
  return kind === 'hand-wired' && transport === 'stdio';
}

/** What keeps the stdio of a server as it is. */
export function stdioObstacle(group: ServerGroup, facts: Facts, to: Destination): Obstacle | undefined {
  if (to !== 'stdio') return undefined;
  for (const entry of group.entries.filter(isStdio)) {
    const structure = structureOf(entry, group, facts);
    if ('at' in structure) return structure;
  }
  return undefined;
}

const known = new WeakMap<ServerEntry, StdioStructure | Obstacle>();

/** Reads the structure once; an obstacle says why it cannot be a factory. */
export function structureOf(entry: ServerEntry, group: ServerGroup, facts: Facts): StdioStructure | Obstacle {
  const before = known.get(entry) ?? readStructure(entry, group, facts);
  known.set(entry, before);
  return before;
}

function readStructure(entry: ServerEntry, group: ServerGroup, facts: Facts): StdioStructure | Obstacle {
  const connection = connectionOf(entry, facts);
  if ('at' in connection) return connection;
  const none = { region: [], prepared: [], makers: [], closed: connection.transport.closed };
  if (isOfThis(connection.receiver)) {
    const instance = newInstance(connection, group, facts);
    return typeof instance === 'string'
      ? withHandle({ ...none, form: 'instance', connection, instance })
      : instance;
  }
  const source = sourceOf(connection.receiver, group, facts, SERVER_SYMBOL.serveStdio);
  if ('at' in source) return source;
  const started = madeObstacle(source.made, facts);
  if (started !== undefined) return started;
  const makers = ts.isCallExpression(source.made) ? functionsBehind(facts.world, source.made.expression) : [];
  const { variable } = source;
  const base = { ...none, connection, source, makers };
  if (variable === undefined) return asExpression({ ...base, form: 'expression' }, facts);
  const uses = referencesOf(facts.world)
    .to(variable.declaration)
    .filter((name) => name.parent !== variable.declaration && !contains(connection.call.expression, name));
  const structure = { ...base, closed: [...base.closed, ...uses.flatMap((name) => closedPath(name) ?? [])] };
  if (uses.every((name) => closedPath(name) !== undefined) && isExpression(source, group, facts))
    return withHandle(asExpression({ ...structure, form: 'expression' }, facts));
  return withHandle(asStatements(structure, variable, facts));
}

/** `server`, `server.server` or `agent.server` in front of `.close()` */
function closedPath(name: ts.Node): ts.Node | undefined {
  let path: ts.Node = name;
  while (
    closedBy(path) === undefined &&
    ts.isPropertyAccessExpression(dressed(path).parent) &&
    (dressed(path).parent as ts.PropertyAccessExpression).expression === dressed(path)
  )
    path = dressed(path).parent;
  return closedBy(path) === undefined ? undefined : path;
}

/** A call of the application's own; what is constructed here is written out in the factory all the same. */
function isExpression({ made, path }: ServerSource, group: ServerGroup, { world }: Facts): boolean {
  const isPlainCreation = ts.isNewExpression(made) && group.creations.some(({ node }) => node === made);
  const type = world.checker.getTypeAtLocation(made).getSymbol()?.valueDeclaration;
  return !isPlainCreation || path.length > 0 || (type !== undefined && !world.isOurs(type));
}

function asExpression(structure: BuiltStructure, facts: Facts): BuiltStructure | Obstacle {
  const { made, variable } = structure.source;
  const end = structure.makers
    .map((maker) => processEndIn(maker, facts.world))
    .find((one) => one !== undefined);
  if (end !== undefined) return processEnd(end);
  for (const maker of structure.makers) {
    const shared = sharedEndIn(maker, new Set(), facts.world);
    if (shared !== undefined) return sharedEnd(shared);
  }
  const fixed = (made.arguments ?? []).find((argument) => !isRepeatable(argument, facts.world));
  if (fixed !== undefined)
    return {
      text: `the server is made with ${shortText(fixed, 40)}, which would be made anew for each instance: put it into a constant first`,
      at: fixed,
    };
  if (variable !== undefined && extentOf(variable.statement, structure.connection.unit) === undefined)
    return sharedLine(variable.statement);
  return structure;
}

function processEnd(at: ts.Node): Obstacle {
  return {
    text: 'its onclose ends the process, and an instance is closed as well when a client only probes: end the process with standard input instead',
    at,
  };
}

function sharedEnd(at: ts.Node): Obstacle {
  return {
    text: `its onclose calls ${shortText(at, 40)}, and an instance is closed as well when a client only probes: do that when standard input ends instead`,
    at,
  };
}

function sharedLine(at: ts.Node): Obstacle {
  return { text: 'statements that build the server share a line with others', at };
}

type Base = Omit<BuiltStructure, 'form'>;

function asStatements(base: Base, variable: HeldIn, facts: Facts): BuiltStructure | Obstacle {
  const { connection } = base;
  const list = statementListOf(variable.statement);
  const own = list?.find((one) => contains(one, connection.statement));
  if (list === undefined || own === undefined)
    return {
      text: 'the server is made in one place and connected in another that it cannot be moved to',
      at: connection.call,
    };
  const stays = (statement: ts.Statement, name: ts.Node): boolean =>
    statement === own ||
    (closedPath(name) !== undefined && !isUsedOtherwise(statement, variable, connection, facts));
  const built = builtStatements(list, variable.statement, stays, facts.world);
  const isOfModule = ts.isSourceFile(variable.statement.parent);
  const inner = isOfModule && own !== connection.statement ? preparedIn(connection, variable, facts) : [];
  const obstacle =
    outsideObstacle(built, base, variable, inner) ??
    effectObstacle([...built.statements, ...inner], built, facts) ??
    orderObstacle(built.statements, own, connection, isOfModule) ??
    shapeObstacle([...built.statements, ...inner], connection);
  if (obstacle !== undefined) return obstacle;
  const inside = [...built.statements, ...inner];
  const closed = base.closed.filter((path) => !inside.some((one) => contains(one, path)));
  return isOfModule
    ? { ...base, closed, form: 'region', region: built.statements, prepared: inner }
    : { ...base, closed, form: 'block', prepared: built.statements };
}

/** Whether a statement does more with the server than close it. */
function isUsedOtherwise(
  statement: ts.Statement,
  { declaration }: HeldIn,
  connection: Connection,
  { world }: Facts,
): boolean {
  return referencesOf(world)
    .to(declaration)
    .some(
      (name) =>
        contains(statement, name) && closedPath(name) === undefined && !contains(connection.call, name),
    );
}

/** The statements in front of the connection that use the server. */
function preparedIn(connection: Connection, { declaration }: HeldIn, { world }: Facts): ts.Statement[] {
  const list: readonly ts.Statement[] = statementListOf(connection.statement) ?? [];
  const names = referencesOf(world).to(declaration);
  return list
    .slice(0, list.indexOf(connection.statement))
    .filter((one) => names.some((name) => contains(one, name) && closedPath(name) === undefined));
}

function outsideObstacle(
  { outside }: BuiltStatements,
  { connection, closed }: Base,
  { declaration, name }: HeldIn,
  prepared: readonly ts.Statement[],
): Obstacle | undefined {
  const other = outside.find((use) => {
    if (use.getSourceFile() !== declaration.getSourceFile()) return true;
    if (contains(connection.call.expression, use)) return false;
    if (closed.some((path) => contains(path, use))) return false;
    const isOfServer = (use as ts.Identifier).text === name;
    return !isOfServer || !prepared.some((one) => contains(one, use));
  });
  if (other === undefined) return undefined;
  const used = other.getText();
  return {
    text:
      other.getSourceFile() === declaration.getSourceFile()
        ? `${used} is used where it is connected, and each connection gets one of its own: move that into a function that makes the server, for serveStdio(createServer)`
        : `${used} is used in other files, and each connection gets one of its own: make the server in a function, for serveStdio(createServer), and hand it to them there`,
    at: other,
  };
}

function effectObstacle(
  statements: readonly ts.Statement[],
  { names }: BuiltStatements,
  { world }: Facts,
): Obstacle | undefined {
  for (const statement of statements) {
    const effect = otherEffect(statement, names, world);
    const changed = changedBehind(statement, world);
    if (changed !== undefined)
      return {
        text: `${changed.text} has another value by the time a client connects: put it into a constant for what builds the server`,
        at: statement,
      };
    const shared = sharedEndIn(statement, names, world);
    if (shared !== undefined) return sharedEnd(shared);
    if (effect !== undefined && processEndIn(effect, world) !== undefined) return processEnd(statement);
    if (effect !== undefined)
      return {
        text: `${shortText(effect, 40)} would run again for each instance: keep it out of the function that makes the server, for serveStdio(createServer)`,
        at: statement,
      };
  }
  return undefined;
}

/** What builds the server stands in front of its connection, or is a function that is known before. */
function orderObstacle(
  built: readonly ts.Statement[],
  own: ts.Statement,
  connection: Connection,
  isOfModule: boolean,
): Obstacle | undefined {
  const isLate = own === connection.statement || !isOfModule;
  const late = isLate ? built.find((one) => one.pos > own.pos) : undefined;
  if (!isOfModule && own !== connection.statement)
    return { text: 'it is connected under a condition: make the server there, too', at: connection.call };
  return late === undefined
    ? undefined
    : { text: 'the server is used again after it is connected', at: late };
}

function shapeObstacle(
  statements: readonly ts.Statement[],
  { unit, statement }: Connection,
): Obstacle | undefined {
  const exported = statements.find(
    (one) =>
      ts.isExportDeclaration(one) ||
      ts.isExportAssignment(one) ||
      (ts.canHaveModifiers(one) &&
        (ts.getModifiers(one) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)),
  );
  if (exported !== undefined)
    return {
      text: 'what builds the server is exported: export a function that makes it instead',
      at: exported,
    };
  const shared = [...statements, statement].find((one) => extentOf(one, unit) === undefined);
  return shared === undefined ? undefined : sharedLine(shared);
}

/** What closes the server has to see what `serveStdio` returns. */
function withHandle(structure: StdioStructure | Obstacle): StdioStructure | Obstacle {
  if ('at' in structure) return structure;
  const { connection, closed } = structure;
  const block = connection.statement.parent;
  const isBlock =
    statementListOf(connection.statement) !== undefined && !ts.isReturnStatement(connection.statement);
  const hidden = closed.find((path) => !isBlock || !contains(block, path));
  return hidden === undefined
    ? structure
    : {
        text: 'the server is closed where what serveStdio returns is out of reach: keep that in a variable there',
        at: peel(hidden as ts.Expression),
      };
}
