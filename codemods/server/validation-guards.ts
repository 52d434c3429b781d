/** The checks of host and origin that a transport made, as calls in front of the modern handler. */
import type { FileStyle } from '../../src/codegen/file-style.js';
import { freeName } from '../../src/codegen/names.js';
import { SERVER_SYMBOL } from '../../src/protocol/index.js';
import { listText, type Validation } from './host-validation.js';
import type { SdkNames } from './sdk-names.js';

type NameOf = SdkNames['nameOf'];

/** Calls that answer a `Request` which must not pass, for hosts that return a `Response`. */
export function responseGuards(
  { hosts, origins }: Validation,
  request: string,
  nameOf: NameOf,
  style: FileStyle,
): string[] {
  const guard = (symbol: string, names: readonly string[] | undefined): string[] =>
    names === undefined ? [] : [`${nameOf(symbol)}(${request}, ${listText(names, style)})`];
  return [
    ...guard(SERVER_SYMBOL.hostHeaderValidationResponse, hosts),
    ...guard(SERVER_SYMBOL.originValidationResponse, origins),
  ];
}

interface NodeGuards {
  /** The statements that make the checks, once. */
  readonly lines: readonly string[];
  /** The calls that check a request of `node:http`, each true where it has answered. */
  callsFor(request: string, response: string): string[];
}

/** Checks for hosts that answer through a response of `node:http`. */
export function nodeGuards(
  { hosts, origins }: Validation,
  nameOf: NameOf,
  isTaken: (name: string) => boolean,
  style: FileStyle,
): NodeGuards {
  const made = [
    { preferred: 'validateHost', symbol: SERVER_SYMBOL.hostHeaderValidation, names: hosts },
    { preferred: 'validateOrigin', symbol: SERVER_SYMBOL.originValidation, names: origins },
  ].flatMap(({ preferred, symbol, names }) =>
    names === undefined
      ? []
      : [{ own: freeName([preferred], isTaken), value: `${nameOf(symbol)}(${listText(names, style)})` }],
  );
  return {
    lines: made.map(({ own, value }) => `const ${own} = ${value}${style.semicolon}`),
    callsFor: (request, response) => made.map(({ own }) => `${own}(${request}, ${response})`),
  };
}
