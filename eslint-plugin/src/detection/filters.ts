/** What filters ask for, and everything that a client asks for through them. */
import { CHANGE_STREAM_METHOD } from '../../../src/codegen/change-stream.js';
import { FILTER_FIELDS, type FilterField } from '../../../src/protocol/index.js';
import { keyName, type Node, type SourceCode, type TSESTree } from '../ast.js';
import { changeStreamCalls, changeStreams } from './change-streams.js';
import { isSameClient, type SdkClient } from './clients.js';
import { listensOf, type Listen } from './listens.js';
import { usesOf } from './uses.js';
import { booleanOf, resolve } from './values.js';
import { plainObject } from './wire-values.js';

/** What one filter asks for. */
export interface Wishes {
  /** The fields that it may ask for, each with its property. */
  readonly fields: ReadonlyMap<FilterField, TSESTree.Property>;
  /** Those of them that it certainly asks for. */
  readonly certain: ReadonlySet<FilterField>;
  /** Whether it may ask for more than can be read. */
  readonly isOpen: boolean;
}

/** Reads a filter; `filter` is undefined where it is out of sight. */
export function wishesOf(sourceCode: SourceCode, filter: TSESTree.ObjectExpression | undefined): Wishes {
  const fields = new Map<FilterField, TSESTree.Property>();
  const certain = new Set<FilterField>();
  let isOpen = filter === undefined;
  for (const property of filter?.properties ?? []) {
    const name = property.type === 'Property' ? keyName(property) : undefined;
    const field = FILTER_FIELDS.find((row) => row.field === name)?.field;
    if (property.type !== 'Property' || name === undefined) isOpen = true;
    else if (field !== undefined) {
      const asks = asksFor(sourceCode, property.value);
      if (asks !== false) fields.set(field, property);
      if (asks === true) certain.add(field);
    }
  }
  return { fields, certain, isOpen };
}

/** Whether a value asks for its field; undefined where that is decided as the code runs. */
function asksFor(sourceCode: SourceCode, node: Node): boolean | undefined {
  const value = resolve(sourceCode, node);
  if (value.type === 'ArrayExpression')
    return value.elements.some((element) => element !== null && element.type !== 'SpreadElement')
      ? true
      : value.elements.length === 0
        ? false
        : undefined;
  if (value.type === 'Identifier' && value.name === 'undefined') return false;
  return booleanOf(sourceCode, value);
}

/** All that a client asks for in a file. */
export interface Asked {
  readonly listens: readonly Listen[];
  /** The filters of its listens and of its managed stream. */
  readonly wishes: readonly Wishes[];
  /** Whether it has a managed stream. */
  readonly hasStream: boolean;
  /** Whether it may ask for more than can be read. */
  readonly isOpen: boolean;
}

/** Gathers what a client asks for. */
export function askedFor(sourceCode: SourceCode, client: SdkClient): Asked {
  const listens = listensOf(sourceCode).filter((listen) => isSameClient(listen.client, client));
  const streams = changeStreams(sourceCode).filter((stream) => isOf(stream.client));
  const calls = changeStreamCalls(sourceCode).filter(({ stream }) => isOf(stream.client));
  const wishes = [
    ...listens.map(({ filterObject }) => wishesOf(sourceCode, filterObject)),
    ...calls
      .filter(({ method }) => method === CHANGE_STREAM_METHOD.listen)
      .map(({ call }) => wishesOf(sourceCode, plainObject(sourceCode, call.arguments[0]))),
  ];
  return {
    listens,
    wishes,
    hasStream: streams.length > 0,
    isOpen:
      wishes.some(({ isOpen }) => isOpen) ||
      calls.some(({ method }) => method === CHANGE_STREAM_METHOD.subscribe) ||
      streams.some(({ call }) => usesOf(sourceCode, call).escapes.length > 0),
  };

  function isOf(other: SdkClient | undefined): boolean {
    return other !== undefined && isSameClient(other, client);
  }
}
