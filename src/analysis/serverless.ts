/** Hosting by functions that a platform starts as it sees fit: each of them is a process of its own. */
import { ts } from 'ts-morph';
import type { ClosedWorld } from './closed-world.js';
import { importedName } from './imported-names.js';
import { isExported, literalText, peel } from './syntax.js';

/** What says so in the file that serves a server; undefined where nothing does. */
export function serverlessEvidence(file: ts.SourceFile, world: ClosedWorld): ts.Node | undefined {
  for (const statement of file.statements) {
    if (ts.isVariableStatement(statement) && isExported(statement)) {
      const declaration = statement.declarationList.declarations.find((one) => isEvidence(one, world));
      if (declaration !== undefined) return declaration;
    }
    const isWorker = ts.isExportAssignment(statement) && servesWorker(statement);
    if (isWorker && !/\bDurableObject/.test(file.text)) return statement;
  }
  return undefined;
}

/**
 * `export const maxDuration = 60` and `runtime = 'edge'` are settings of such a platform; `runtime = 'nodejs'` is true of
 * any. `export const handler = serverless(app)` is one function of AWS Lambda.
 */
function isEvidence({ name, initializer }: ts.VariableDeclaration, world: ClosedWorld): boolean {
  if (!ts.isIdentifier(name) || initializer === undefined) return false;
  const value = peel(initializer);
  if (name.text === 'maxDuration') return ts.isNumericLiteral(value);
  if (name.text === 'runtime') return literalText(value) === 'edge';
  const wrapper = ts.isCallExpression(value) ? importedName(value.expression, world) : undefined;
  return wrapper !== undefined && WRAPPERS.test(wrapper.module);
}

const WRAPPERS =
  /^(?:serverless-http|@(?:vendia|codegenie)\/serverless-express|aws-serverless-express|hono\/aws-lambda|@fastify\/aws-lambda)$/;

/** `export default { fetch(request, env) { … } }`: what is handed in besides the request is what Cloudflare binds. */
function servesWorker({ expression }: ts.ExportAssignment): boolean {
  const value = peel(expression);
  if (!ts.isObjectLiteralExpression(value)) return false;
  return value.properties.some((property) => {
    if (property.name?.getText() !== 'fetch') return false;
    const served = ts.isPropertyAssignment(property) ? peel(property.initializer) : property;
    return (
      (ts.isMethodDeclaration(served) || ts.isArrowFunction(served) || ts.isFunctionExpression(served)) &&
      served.parameters.length > 1 &&
      /^_?env$/i.test(served.parameters[1]?.name.getText() ?? '')
    );
  });
}
