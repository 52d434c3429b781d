/** Whether code is the leg of 2025 of a server that speaks both eras: then it stays as it is. */
import { listenAnswers } from './dispatches.js';
import { lineOf } from './server-finding.js';
import { legacyLegReason } from './server-recipe.js';
import type { Surroundings } from './surroundings.js';
import type { WireModule } from './wire-module.js';

/** A file that is named after an older revision of the protocol, as adapters are. */
const OLD_REVISION = /(?:^|[/._-])(?:v?202[45][-_]\d\d[-_]\d\d|legacy)(?=[/._-])/i;

/** Where the module or its package answers a listen. */
export function listenPlace(module: WireModule, { listen }: Surroundings): string | undefined {
  const [answer] = listenAnswers(module);
  return answer === undefined ? listen : `line ${String(lineOf(module, answer.literal.start))}`;
}

/** Why what a module does for clients of 2025 stays, where it does. */
export function legacyLeg(module: WireModule, surroundings: Surroundings): string | undefined {
  const at = listenPlace(module, surroundings);
  if (at !== undefined) return legacyLegReason(at);
  return OLD_REVISION.test(module.path)
    ? 'the leg of 2025: by its name this file is about an older revision alone'
    : undefined;
}
