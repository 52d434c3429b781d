/** Constants for the headers of sessions and replay (R11): reported where they are defined, with where they are used. */
import { HEADER } from '../../src/protocol/index.js';
import { declaredName } from './declared-names.js';
import { usesOf } from './constant-uses.js';
import { isMcpNear, isTest } from './server-evidence.js';
import { always, linesText, type ServerFinding } from './server-finding.js';
import { child, type Node } from './tree.js';
import { stringsOf, type WireModule } from './wire-module.js';

const OLD = new Map([HEADER.sessionId, HEADER.lastEventId].map((header) => [header.toLowerCase(), header]));

/** The constants of a module that hold the name of a header of 2025. */
export function findHeaderConstants(module: WireModule): ServerFinding[] {
  if (isTest(module)) return [];
  const spelled = stringsOf(module).flatMap(({ node, value }) => {
    const header = OLD.get(value.toLowerCase());
    const constant = header === undefined ? undefined : constantAround(module, node);
    return header === undefined || constant === undefined ? [] : [{ header, constant }];
  });
  // Every event stream may be resumed by this header: alone it says nothing of MCP.
  const isMcp = spelled.some(({ header }) => header === HEADER.sessionId) || isMcpNear(module);
  return (isMcp ? spelled : []).map(({ header, constant }): ServerFinding => {
    const lines = usesOf(module, constant);
    const used = lines.length === 0 ? '' : `; used in this file in ${linesText(lines)}`;
    const what =
      header === HEADER.sessionId
        ? 'a 2026-07-28 request belongs to no session: the header is for the leg of 2025 alone'
        : 'nothing is replayed in 2026-07-28: the header is for the leg of 2025 alone';
    return {
      shape: 'R11',
      node: constant,
      confidence: 'certain',
      outcome: always({ kind: 'reported', reason: `${what}${used}` }),
    };
  });
}

/** The declaration whose whole value a text is, if its name is that of a constant. */
function constantAround(module: WireModule, literal: Node): Node | undefined {
  const at = module.parentOf(literal);
  const node = at !== undefined && /^TS(?:As|Satisfies)Expression$/.test(at.type) ? module.parentOf(at) : at;
  if (node === undefined) return undefined;
  const isDeclaration =
    /^(?:VariableDeclarator|TSEnumMember|ClassProperty|PropertyDefinition|Property|ObjectProperty)$/.test(
      node.type,
    );
  if (!isDeclaration || child(node, 'key') === literal) return undefined;
  const name = declaredName(node) ?? '';
  return /^[A-Z][A-Z0-9_]*$/.test(name) || /^\w*(?:header|session_?id|last_?event)\w*$/i.test(name)
    ? node
    : undefined;
}
