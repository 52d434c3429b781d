/** Lists of request headers that an application lets browsers send, and what of the modern era they lack (T3). */
import { ts } from 'ts-morph';
import { HEADER } from '../protocol/index.js';
import { literalText } from './syntax.js';

/** Names of the option, with and without the framework's prefix. */
const OPTION = /^(?:allowedHeaders|allowHeaders|Access-Control-Allow-Headers)$/i;

const MODERN = [HEADER.protocolVersion, HEADER.method, HEADER.name];

/** The headers of the modern era that the lists of a file lack; none where it has no list, or allows everything. */
export function headersNotAllowed(file: ts.SourceFile): string[] {
  const lacking = new Set<string>();
  const visit = (node: ts.Node): void => {
    for (const list of listsAt(node)) {
      const names = list.map((name) => name.trim().toLowerCase());
      if (names.includes('*') || !names.some((name) => name.startsWith('mcp-'))) continue;
      for (const header of MODERN) if (!names.includes(header.toLowerCase())) lacking.add(header);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...lacking];
}

/** The names of a list that is written out here, as an array or as one text. */
function listsAt(node: ts.Node): string[][] {
  if (ts.isPropertyAssignment(node) && OPTION.test(nameOf(node.name))) return namesIn(node.initializer);
  if (!ts.isCallExpression(node)) return [];
  const [name, value] = node.arguments;
  return value !== undefined && OPTION.test(literalText(name) ?? '') ? namesIn(value) : [];
}

function nameOf(name: ts.PropertyName): string {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : '';
}

function namesIn(value: ts.Expression): string[][] {
  if (ts.isArrayLiteralExpression(value)) {
    const names = value.elements.map((element) => literalText(element));
    return names.every((name) => name !== undefined) ? [names] : [];
  }
  const text = literalText(value);
  return text === undefined ? [] : [text.split(',')];
}
