/** Resumption tokens of requests: they work on a 2025 connection alone, and on a modern one keep the request from being sent. */
import { ts } from 'ts-morph';
import type { ClientGroup, ResumptionSite } from '../../src/analysis/client-group.js';
import type { Facts } from '../../src/analysis/facts.js';
import type { Site } from '../../src/analysis/site.js';
import { isPlainPath } from '../../src/analysis/syntax.js';
import { quoted } from '../../src/codegen/file-style.js';
import { CLIENT_MEMBER, REQUEST_OPTION } from '../../src/protocol/index.js';
import type { Codemod, FileEdit, Outcome } from '../codemod.js';
import { outcomeByGroup } from './group-outcome.js';
import { handlersToServe } from './served-handlers.js';
import { callsToRewrite } from './subscribe-calls.js';

/** The codemod for `resumptionToken` and `onresumptiontoken` (E1). */
export const resumption: Codemod = {
  name: 'client/resumption',
  removes: 'resumption',
  tokens: [REQUEST_OPTION.resumptionToken, REQUEST_OPTION.onresumptiontoken],

  find(facts) {
    return facts.clients.flatMap((group) =>
      group.resumptions.flatMap(({ properties: [node] }): Site[] =>
        node === undefined
          ? []
          : [
              {
                unit: facts.unitOf(node),
                node,
                side: 'client',
                shape: 'E1',
                mechanism: 'resumption',
                group,
                confidence: 'certain',
              },
            ],
      ),
    );
  },

  rewrite(site, facts, target) {
    const tokens = site.group.resumptions.find((candidate) => candidate.properties[0] === site.node);
    if (tokens === undefined) throw new Error('a site of another codemod');
    if (tokens.era === 'legacy')
      return { kind: 'kept', reason: 'runs on the legacy era only: the code around it has checked' };
    if (!mayBeModern(site.group))
      return { kind: 'kept', reason: 'its client stays on the 2025 era, where tokens work' };
    const byGroup = outcomeByGroup(site, facts, target);
    if (byGroup !== undefined) return byGroup;
    return target === 'dual' ? onLegacyAlone(site, tokens, facts) : removed(site);
  },
};

/** Whether the client can reach the modern era, by itself or because this run opts it in. */
function mayBeModern(group: ClientGroup): boolean {
  const opted = [...group.creations, ...group.negotiations].some(
    ({ era }) => era === 'auto' || era === 'pin',
  );
  return opted || callsToRewrite(group).length > 0 || handlersToServe(group).length > 0;
}

/** `...(client.getProtocolEra() === 'legacy' && { resumptionToken })` */
function onLegacyAlone(site: Site, tokens: ResumptionSite, facts: Facts): Outcome {
  const [first] = tokens.properties;
  const last = tokens.properties.at(-1);
  const areTogether =
    first !== undefined && ts.isObjectLiteralExpression(first.parent) && standTogether(tokens, first.parent);
  if (first === undefined || last === undefined || !areTogether || !isPlainPath(tokens.receiver)) {
    return {
      kind: 'marked',
      text: 'a resumption token keeps the request from being sent on a modern connection: pass it on the legacy era only',
      blocks: false,
    };
  }
  const { style } = site.unit;
  const reason = 'passed on the legacy era only';
  const isLegacy = `${tokens.receiver.getText()}.${CLIENT_MEMBER.getProtocolEra}() === ${quoted('legacy', style)}`;
  const edit = (position: number, text: string): FileEdit => ({
    file: facts.unitOf(first).file,
    start: position,
    end: position,
    text,
    reason,
  });
  return {
    kind: 'rewritten',
    reason,
    edits: [edit(first.getStart(), `...(${isLegacy} && { `), edit(last.end, ' })')],
  };
}

/** Nothing but the tokens between the first and the last of them. */
function standTogether(tokens: ResumptionSite, options: ts.ObjectLiteralExpression): boolean {
  const places = tokens.properties.map((property) => options.properties.indexOf(property));
  return places.every((place, index) => place === (places[0] ?? 0) + index);
}

/** What becomes of a saved token, and when the request is sent again, only a person can say. */
function removed(site: Site): Outcome {
  return {
    kind: 'marked',
    text: 'there is no resumption any more: drop the token, and after a loss send the request again under a new id',
    anchor: site.node,
    blocks: false,
  };
}
