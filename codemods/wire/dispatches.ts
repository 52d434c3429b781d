/** What a dispatch is: the places at which code chooses what a method does, gathered by what they have in common. */
import { mentionsOf, isHandler, isRowOfHandlers, type Mention } from './change-mentions.js';
import { firstName, lastName, namesAround } from './declared-names.js';
import { importsSdkClient } from './server-evidence.js';
import { child, list, type Node } from './tree.js';
import { functionAround, type WireModule } from './wire-module.js';

/** All choices by one subject, or in one table. */
export interface Dispatch {
  readonly home: Node;
  readonly mentions: Mention[];
}

/** Where a module answers a listen: what chooses a branch by its method. */
export function listenAnswers(module: WireModule): readonly Mention[] {
  return dispatchesOf(module).flatMap(({ mentions }) =>
    mentions.filter((mention) => mention.about === 'listen' && branchOf(module, mention).length > 0),
  );
}

/** Whether a mention is part of what a dispatch is made of. */
export function isDispatch(module: WireModule, { role, about }: Mention): boolean {
  if (about === 'change' || about === 'acknowledged') return false;
  switch (role.kind) {
    case 'case':
      return asksForMethod(child(role.choice, 'discriminant')) && !isTelemetry(module, role.choice);
    case 'comparison':
      return asksForMethod(role.subject) && !isTelemetry(module, role.node);
    case 'registration':
      return true;
    case 'row':
    case 'element':
      return (
        role.value !== undefined &&
        isHandler(role.value) &&
        !isTelemetry(module, role.table) &&
        isTableOfHandlers(role.table)
      );
    case 'message':
      return isRowOfHandlers(role.node);
    default:
      return false;
  }
}

/** Code that only tells what came by. */
export function isTelemetry(module: WireModule, node: Node): boolean {
  return namesAround(module, node)
    .slice(0, 3)
    .some((name) => TELEMETRY.test(name));
}

const TELEMETRY =
  /[tT]elemetry|[tT]rac(?:e|ing)|[sS]pan|[aA]ttr(?:s|ibute)|[mM]etric|(?:^|[^a-z])log(?![a-z])|Log(?![a-z])|[lL]ogg(?:er|ing)|[aA]udit|[oO]bservab|[iI]nstrument|[dD]escri|[fF]ormat|[sS]ummar|[lL]abel|[tT]itle|[dD]etail|[vV]ersion|[sS]ince/;

/** `request.method`, `method`; what a person types on a command line is not the protocol's. */
function asksForMethod(subject: Node | undefined): boolean {
  if (
    subject === undefined ||
    !/^(?:method|methodName|method_name|_?tag|type)$/.test(lastName(subject) ?? '')
  )
    return false;
  return !USERS.test(firstName(subject) ?? '');
}

const USERS = /^(?:args|argv|arguments|options|opts|flags|cli|command|parsed|values|program)$/i;

function isTableOfHandlers(table: Node): boolean {
  const values =
    list(table, 'properties').length > 0
      ? list(table, 'properties').map((entry) => child(entry, 'value') ?? entry)
      : [];
  return values.every(
    (value) => value.type === 'ObjectMethod' || value.type === 'SpreadElement' || isHandler(value),
  );
}

const DISPATCHES = Symbol('dispatches');

/** The dispatches of a module. */
export function dispatchesOf(module: WireModule): readonly Dispatch[] {
  return module.remember(DISPATCHES, () => {
    const byHome = new Map<Node, Dispatch>();
    // Code about an SDK client compares methods as well: those of what it receives, or of what a person asked for.
    const client = importsSdkClient(module);
    for (const mention of mentionsOf(module)) {
      if (client && mention.role.kind === 'comparison') continue;
      if (!isDispatch(module, mention)) continue;
      const home = homeOf(module, mention);
      const known = byHome.get(home);
      if (known === undefined) byHome.set(home, { home, mentions: [mention] });
      else known.mentions.push(mention);
    }
    return [...byHome.values()];
  });
}

function homeOf(module: WireModule, { role, literal }: Mention): Node {
  if (role.kind === 'case') return role.choice;
  if (role.kind === 'row' || role.kind === 'element') return role.table;
  if (role.kind === 'message') return module.parentOf(role.node) ?? role.node;
  return functionAround(module, literal) ?? module.program;
}

/** What runs for a method. */
export function branchOf(module: WireModule, { role }: Mention): Node[] {
  switch (role.kind) {
    case 'case': {
      const cases = list(role.choice, 'cases');
      const filled = cases.slice(cases.indexOf(role.node)).find((one) => list(one, 'consequent').length > 0);
      const body = list(filled, 'consequent');
      const [only, ...others] = body;
      return only?.type === 'BlockStatement' && others.length === 0 ? list(only, 'body') : body;
    }
    case 'comparison': {
      if (!role.equal) return afterGuard(module, role.node);
      const choice = module.ancestorsOf(role.node).find(({ type }) => type !== 'LogicalExpression');
      const isChoice = choice?.type === 'IfStatement' || choice?.type === 'ConditionalExpression';
      const consequent = isChoice ? child(choice, 'consequent') : undefined;
      if (consequent === undefined || child(choice, 'test') === undefined) return [];
      return consequent.type === 'BlockStatement' ? list(consequent, 'body') : [consequent];
    }
    case 'registration':
      return [role.handler];
    case 'row':
    case 'element':
      return role.value === undefined ? [] : [role.value];
    case 'message':
      return [role.node];
    default:
      return [];
  }
}

/** `if (method !== 'x') return …;` and what follows it. */
function afterGuard(module: WireModule, comparison: Node): Node[] {
  const guard = module.parentOf(comparison);
  const block = guard?.type === 'IfStatement' ? module.parentOf(guard) : undefined;
  return guard === undefined || block === undefined
    ? []
    : list(block, 'body').filter(({ start }) => start >= guard.end);
}
