/** Routes that no call registers: exported verbs of a Next.js file, decorated methods, listeners, `fetch` of a worker. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from './closed-world.js';
import { verbOf, type Route } from './http-route.js';
import { importedName } from './imported-names.js';
import { accessedMember, isExported, peel, propertyName } from './syntax.js';

type Placed = Pick<Route, 'style' | 'owner' | 'node' | 'handler' | 'verbs'>;

function bare(placed: Placed): Route {
  return {
    ...placed,
    path: undefined,
    application: undefined,
    middleware: [],
    options: undefined,
    isAlone: false,
  };
}

/** `export async function POST(request) { … }`, `export const GET = wrap(…)`, `export { handler as GET }` */
export function exportedRoutes(file: ts.SourceFile): Route[] {
  return file.statements.flatMap((statement): Route[] => {
    if (ts.isFunctionDeclaration(statement) && isExported(statement))
      return nextRoute(statement.name?.text, statement, statement, file);
    if (ts.isVariableStatement(statement) && isExported(statement))
      return statement.declarationList.declarations.flatMap((declaration) =>
        ts.isIdentifier(declaration.name) && declaration.initializer !== undefined
          ? nextRoute(declaration.name.text, declaration, declaration.initializer, file)
          : [],
      );
    if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier !== undefined) return [];
    const clause = statement.exportClause;
    return clause === undefined || !ts.isNamedExports(clause)
      ? []
      : clause.elements.flatMap((element) =>
          nextRoute(element.name.text, element, element.propertyName ?? element.name, file),
        );
  });
}

function nextRoute(name: string | undefined, node: ts.Node, handler: ts.Node, file: ts.SourceFile): Route[] {
  const verb = name === name?.toUpperCase() ? verbOf(name ?? '') : undefined;
  return verb === undefined || verb === 'all'
    ? []
    : [bare({ style: 'next', owner: file, node, handler, verbs: [verb] })];
}

/** `@Post('mcp') handle(…) { … }` of Nest and its relatives */
export function decoratedRoutes(file: ts.SourceFile, world: ClosedWorld): Route[] {
  const found: Route[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isMethodDeclaration(node)) {
      for (const decorator of ts.getDecorators(node) ?? []) {
        const call = peel(decorator.expression);
        const name = ts.isCallExpression(call) ? importedName(call.expression, world) : undefined;
        const verb = name === undefined ? undefined : verbOf(name.name);
        if (verb !== undefined && name?.module === '@nestjs/common')
          found.push(bare({ style: 'nest', owner: node.parent, node, handler: node, verbs: [verb] }));
      }
    }
    ts.forEachChild(node, visit);
  };
  if (file.text.includes('@nestjs/')) visit(file);
  return found;
}

const NODE_MODULES = /^(?:node:)?https?2?$/;

/** Whether a file spells what its calls would have to name for one of them to be a listener. */
export function mayListen({ text }: ts.SourceFile): boolean {
  return /['"`](?:node:)?https?2?['"`]|@hono\/node-server|\b(?:Bun|Deno)\b/.test(text);
}

/** `http.createServer((req, res) => …)`, `Bun.serve({ fetch })`, `Deno.serve(handler)`, `serve({ fetch: handler })` */
export function listenerRoutes(call: ts.CallExpression, world: ClosedWorld): Route[] {
  const imported = importedName(call.expression, world);
  if (imported !== undefined && NODE_MODULES.test(imported.module)) {
    const listener = call.arguments.at(-1);
    return imported.name.startsWith('create') && listener !== undefined
      ? [bare({ style: 'node', owner: call, node: call, handler: listener, verbs: ['all'] })]
      : [];
  }
  const accessed = accessedMember(peel(call.expression));
  const isGlobal =
    accessed?.member === 'serve' && /^(?:Bun|Deno)$/.test(accessed.access.expression.getText());
  if (!isGlobal && imported?.module !== '@hono/node-server') return [];
  return call.arguments.flatMap((argument) => {
    const inner = peel(argument);
    if (ts.isObjectLiteralExpression(inner)) return fetchRoutes(inner, call);
    return isGlobal
      ? [bare({ style: 'fetch', owner: call, node: call, handler: argument, verbs: ['all'] })]
      : [];
  });
}

/** `export default { fetch(request) { … } }` of a worker */
export function workerRoutes(file: ts.SourceFile): Route[] {
  return file.statements.flatMap((statement) => {
    const inner =
      ts.isExportAssignment(statement) && statement.isExportEquals !== true
        ? peel(statement.expression)
        : undefined;
    return inner !== undefined && ts.isObjectLiteralExpression(inner) ? fetchRoutes(inner, inner) : [];
  });
}

/** The `fetch` of an object; an application's (`app.fetch`) has routes of its own. */
export function fetchRoutes(object: ts.ObjectLiteralExpression, node: ts.Node): Route[] {
  return object.properties.flatMap((property): Route[] => {
    if (property.name === undefined || propertyName(property.name) !== 'fetch') return [];
    const handler = ts.isPropertyAssignment(property)
      ? property.initializer
      : ts.isShorthandPropertyAssignment(property)
        ? property.name
        : property;
    return [bare({ style: 'fetch', owner: object, node, handler, verbs: ['all'] })];
  });
}
