/** Whether raw code is about MCP at all: event streams, JSON-RPC and resumption have other users as well. */
import { HEADER, METHOD, NOTIFICATION } from '../../src/protocol/index.js';
import { contains, isFunction, nameOf, type Node } from './tree.js';
import { bindingOf } from './bindings.js';
import { classAround, type WireModule } from './wire-module.js';

const SLASHED = [...Object.values(METHOD), ...Object.values(NOTIFICATION)].filter((name) =>
  name.includes('/'),
);

/** A header of MCP's own, or one of its methods as a whole string. */
const STRONG = new RegExp(
  [
    HEADER.sessionId,
    HEADER.protocolVersion,
    `['"\`](?:${SLASHED.map((name) => name.replaceAll('/', '\\/')).join('|')})['"\`]`,
  ].join('|'),
  'i',
);

const MCP_PATH = /\/mcp(?![\w.-])|mcp_?(?:url|endpoint|server)/i;
const JSON_RPC = /json-?rpc/i;

/** Whether a text shows that it is about MCP: an MCP path counts where JSON-RPC is spoken. */
export function isAboutMcp(text: string, module: WireModule): boolean {
  return STRONG.test(text) || (MCP_PATH.test(text) && JSON_RPC.test(module.text));
}

/**
 * Whether a place is about MCP: by its function, its class, or the functions of the module that stand beside it and are
 * named there.
 */
export function isMcpPlace(module: WireModule, place: Node): boolean {
  const ancestors = module.ancestorsOf(place);
  for (const around of ancestors.filter(isFunction))
    if (isAboutMcp(module.textOf(around), module)) return true;
  const owner = classAround(module, place);
  if (owner !== undefined) return isAboutMcp(module.textOf(owner), module);
  const top = ancestors.at(-2) ?? place;
  return (
    isAboutMcp(module.textOf(top), module) ||
    neighboursOf(module, top).some((neighbour) => STRONG.test(module.textOf(neighbour)))
  );
}

/** The functions and constants of the module that a top statement names. */
function neighboursOf(module: WireModule, top: Node): Node[] {
  return module
    .of('Identifier')
    .filter((identifier) => contains(top, identifier))
    .flatMap((identifier) => {
      const binding = bindingOf(module, identifier);
      const isNear =
        binding !== undefined &&
        ['function', 'const'].includes(binding.kind) &&
        !contains(top, binding.declaration) &&
        nameOf(identifier) === binding.name;
      return isNear ? [binding.declaration] : [];
    });
}
