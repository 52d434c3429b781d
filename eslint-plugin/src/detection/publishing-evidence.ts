/** Whether something may publish for a server out of sight: then nobody can say that nothing does. */
import {
  HANDLER_MEMBER,
  NOTIFICATION,
  PUBLISHERS,
  REGISTRATION_MEMBERS,
  SDK_SCOPE,
  SERVER_OPTION,
} from '../../../src/protocol/index.js';
import {
  dressedWithAwait,
  memberCall,
  parentOf,
  peel,
  type Node,
  type SourceCode,
  type TSESTree,
} from '../ast.js';
import { definitionOf, importOf, variableOf } from './bindings.js';
import { runsLaterThan } from './later.js';
import type { FileInPackage } from './modern-path.js';
import { isExported, mentionsOf } from './named-functions.js';
import { nodesOf } from './nodes.js';
import { functionOf } from './origins.js';
import { registrationsOf } from './server-handlers.js';
import { serversOf } from './served-creations.js';
import { factoryAround, type Serving } from './servers.js';

const CHANGES = PUBLISHERS.map(({ notification }) => notification);

/** Words of code that publishes, wherever it stands. */
const PUBLISHING = new RegExp(
  [
    ...PUBLISHERS.flatMap(({ member, notify }) => [`\\b${member}\\b`, `\\b${notify}\\b`]),
    ...CHANGES.map((method) => method.replaceAll('/', '\\/')),
    // notifications/${kind}/list_changed
    `${NOTIFICATION.progress.slice(0, NOTIFICATION.progress.indexOf('/'))}/\\$`,
    `\\b${HANDLER_MEMBER.notify}\\b`,
    `\\.publish\\(`,
    `ListChangedNotification`,
    `ResourceUpdatedNotification`,
  ].join('|'),
);

/** The same, with changes of what is registered, of which a text does not tell the receiver. */
const CHANGING = new RegExp(`${PUBLISHING.source}|\\.(?:${REGISTRATION_MEMBERS.join('|')})\\(`);

/** Whether anything in a file or its package may publish for what an entry serves. */
export function mayPublish({ sourceCode, otherFiles }: FileInPackage, serving: Serving): boolean {
  if (serving.factory === undefined || PUBLISHING.test(withoutComments(sourceCode))) return true;
  if (changesLater(sourceCode) || hasBus(serving)) return true;
  if (otherFiles?.some(CHANGING) === true) return true;
  const holders = [handlerMentions(sourceCode, serving), ...serverMentions(sourceCode, serving)];
  return holders.some((uses) => uses === 'foreign' || (uses === 'elsewhere' && otherFiles === undefined));
}

function withoutComments(sourceCode: SourceCode): string {
  let text = '';
  let from = 0;
  for (const { range } of sourceCode.getAllComments()) {
    text += sourceCode.text.slice(from, range[0]);
    from = range[1];
  }
  return text + sourceCode.text.slice(from);
}

/** Registering, enabling, disabling outside of what a factory does at once. */
function changesLater(sourceCode: SourceCode): boolean {
  const isLate = (call: Node): boolean => {
    const factory = factoryAround(sourceCode, call);
    return factory === undefined || runsLaterThan(sourceCode, factory, call);
  };
  return (
    registrationsOf(sourceCode).some(({ call, handler }) => handler !== undefined && isLate(call)) ||
    nodesOf(sourceCode)
      .of('CallExpression')
      .some(
        (call) =>
          (REGISTRATION_MEMBERS as readonly string[]).includes(memberCall(call)?.name ?? '') && isLate(call),
      )
  );
}

/** Whether the handler is given a bus, or options that are not in sight. */
function hasBus({ call }: Serving): boolean {
  const [, options] = call.arguments;
  if (options === undefined) return false;
  return (
    options.type !== 'ObjectExpression' ||
    options.properties.some(
      (one) => one.type !== 'Property' || one.key.type !== 'Identifier' || one.key.name === SERVER_OPTION.bus,
    )
  );
}

/** Who gets hold of something: nobody, code of the package in another file, or code of other packages. */
type Uses = 'here' | 'elsewhere' | 'foreign';

function handlerMentions(sourceCode: SourceCode, { call, entry }: Serving): Uses {
  return entry === 'stdio' ? 'here' : usesOf(sourceCode, call);
}

function serverMentions(sourceCode: SourceCode, serving: Serving): Uses[] {
  return serversOf(sourceCode, serving).map(({ creation }) => usesOf(sourceCode, creation));
}

/** What becomes of a value: followed through the one name that it is given. */
function usesOf(sourceCode: SourceCode, made: Node): Uses {
  const outer = dressedWithAwait(made);
  const parent = parentOf(outer);
  if (parent?.type !== 'VariableDeclarator') return useOf(sourceCode, outer);
  if (parent.id.type !== 'Identifier') return 'here';
  const variable = variableOf(sourceCode, parent.id);
  if (variable === undefined) return 'elsewhere';
  const uses = mentionsOf(variable).map((mention) => useOf(sourceCode, mention));
  if (uses.includes('foreign')) return 'foreign';
  return isExported(variable) || uses.includes('elsewhere') ? 'elsewhere' : 'here';
}

function useOf(sourceCode: SourceCode, mention: Node): Uses {
  const outer = dressedWithAwait(mention);
  const parent = parentOf(outer);
  switch (parent?.type) {
    case 'MemberExpression':
      return parent.object === outer ? 'here' : 'elsewhere';
    case 'ReturnStatement':
    case 'ExpressionStatement':
    case 'ArrowFunctionExpression':
      return 'here';
    case 'CallExpression':
      return parent.callee === outer ? 'here' : useByCall(sourceCode, parent);
    default:
      return 'elsewhere';
  }
}

/** What a function is that something is handed to: the SDK's, one of the file, of the package, of another package. */
function useByCall(sourceCode: SourceCode, call: TSESTree.CallExpression): Uses {
  if (functionOf(sourceCode, call.callee) !== undefined) return 'here';
  const callee = peel(call.callee);
  const imported = importOf(sourceCode, callee);
  if (imported?.module.startsWith(SDK_SCOPE) === true) return 'here';
  if (imported !== undefined) return imported.module.startsWith('.') ? 'elsewhere' : 'foreign';
  const definition = callee.type === 'Identifier' ? definitionOf(variableOf(sourceCode, callee)) : undefined;
  return definition === undefined ? 'elsewhere' : 'foreign';
}
