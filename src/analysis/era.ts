/** Which era a client may negotiate. */
import { ts } from 'ts-morph';
import { CLIENT_OPTION } from '../protocol/index.js';
import { valueBehind, valueOfProperty } from './constants.js';
import { findOption, type FoundOption } from './option-values.js';
import { propertyOf } from './syntax.js';

/**
 * What a client was told about eras: `none` and `legacy` keep it on the legacy era, `auto` and `pin` may or must reach
 * the modern one, `unknown` cannot be read from the source.
 */
export type EraOption = 'none' | 'legacy' | 'auto' | 'pin' | 'unknown';

/** Reads the era from the second argument of `new Client(info, options)`. */
export function eraOfOptions(options: ts.Expression | undefined, checker: ts.TypeChecker): EraOption {
  if (options === undefined) return 'none';
  return eraOfFound(findOption(options, CLIENT_OPTION.versionNegotiation, checker), checker, (value) =>
    eraOfNegotiation(value, checker),
  );
}

/** Reads the era from a `versionNegotiation` value. */
export function eraOfNegotiation(value: ts.Expression, checker: ts.TypeChecker): EraOption {
  return eraOfFound(findOption(value, CLIENT_OPTION.mode, checker), checker, (mode) =>
    eraOfMode(mode, checker),
  );
}

function eraOfFound(
  found: FoundOption,
  checker: ts.TypeChecker,
  read: (value: ts.Expression) => EraOption,
): EraOption {
  if (found === 'absent') return 'none';
  const value = found === 'unknown' ? undefined : valueOfProperty(found, checker);
  return value === undefined ? 'unknown' : read(value);
}

function eraOfMode(mode: ts.Expression, checker: ts.TypeChecker): EraOption {
  const given = valueBehind(mode, checker);
  if (given === undefined) return 'unknown';
  if (ts.isStringLiteralLike(given)) {
    if (given.text === CLIENT_OPTION.auto) return 'auto';
    return given.text === CLIENT_OPTION.legacy ? 'legacy' : 'unknown';
  }
  return ts.isObjectLiteralExpression(given) && propertyOf(given, CLIENT_OPTION.pin) !== undefined
    ? 'pin'
    : 'unknown';
}
