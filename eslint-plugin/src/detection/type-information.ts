/** What the type checker knows of an object, where the parser offers one. It adds receivers and changes no meaning. */
import { SDK_SCOPE, V1_PACKAGE } from '../../../src/protocol/index.js';
import type { Node, SourceCode } from '../ast.js';
import type { Origin } from './origins.js';

/** The origin of an object by its checked type: a class of the SDK. */
export function checkedOrigin(sourceCode: SourceCode, expression: Node): Origin | undefined {
  const services = sourceCode.parserServices;
  if (
    services?.program === undefined ||
    services.program === null ||
    services.esTreeNodeToTSNodeMap === undefined
  )
    return undefined;
  const checker = services.program.getTypeChecker();
  const node = services.esTreeNodeToTSNodeMap.get(expression as never) as Parameters<
    typeof checker.getTypeAtLocation
  >[0];
  const type = checker.getNonNullableType(checker.getTypeAtLocation(node));
  for (const part of type.isUnion() ? type.types : [type]) {
    const symbol = part.getSymbol();
    const declaration = symbol?.declarations?.[0];
    const file = declaration?.getSourceFile().fileName ?? '';
    const at = file.lastIndexOf(`node_modules/${SDK_SCOPE}`);
    if (symbol === undefined || declaration === undefined || at === -1) continue;
    return {
      imported: { module: moduleOf(file.slice(at + 'node_modules/'.length)), name: symbol.name },
      // Of one symbol, one declaration: equal for all mentions of one variable.
      node: expression,
      how: 'typed',
    };
  }
  return undefined;
}

/** The module by which a declaration is imported: version 2 has one per package, version 1 one per file. */
function moduleOf(path: string): string {
  const [scope = '', name = '', ...rest] = path.split('/');
  const own = `${scope}/${name}`;
  const file = rest
    .join('/')
    .replace(/^dist\/(?:esm|cjs)\//, '')
    .replace(/\.d\.[cm]?ts$/, '.js');
  return own === V1_PACKAGE ? `${own}/${file}` : own;
}
