// The tables of src/protocol, held against each other.
import { expect, test } from 'vitest';
import * as protocol from '../../src/protocol/index.js';

const sourced: Record<string, readonly { readonly source: protocol.Source }[]> = {
  METHODS: protocol.METHODS,
  NOTIFICATIONS: protocol.NOTIFICATIONS,
  FILTER_FIELDS: protocol.FILTER_FIELDS,
  EXTENSION_FILTER_FIELDS: protocol.EXTENSION_FILTER_FIELDS,
  META_KEYS: protocol.META_KEYS,
  HEADERS: protocol.HEADERS,
  ERROR_CODES: protocol.ERROR_CODES,
  LEGACY_ONLY_CALLS: protocol.LEGACY_ONLY_CALLS,
  LEGACY_ONLY_PROPERTIES: protocol.LEGACY_ONLY_PROPERTIES,
  SERVER_REQUESTS: protocol.SERVER_REQUESTS,
};

test.each(Object.entries(sourced))('every row of %s says where it comes from', (_, rows) => {
  expect(rows.length).toBeGreaterThan(0);
  for (const { source } of rows) expect(source.page).not.toBe('');
});

test('every constant has exactly one row', () => {
  expect(protocol.METHODS.map(({ name }) => name).sort()).toEqual(Object.values(protocol.METHOD).sort());
  expect(protocol.NOTIFICATIONS.map(({ name }) => name).sort()).toEqual(
    Object.values(protocol.NOTIFICATION).sort(),
  );
  expect(protocol.META_KEYS.map(({ name }) => name).sort()).toEqual(Object.values(protocol.META).sort());
  expect(protocol.HEADERS.map(({ name }) => name).sort()).toEqual(Object.values(protocol.HEADER).sort());
  expect(protocol.ERROR_CODES.map(({ code }) => code).sort()).toEqual(
    Object.values(protocol.ERROR_CODE).sort(),
  );
});

test('a method of one era says how we know that the other has none', () => {
  for (const { name, eras, absence } of protocol.METHODS) {
    expect(absence !== undefined, name).toBe(eras.length === 1);
  }
});

test('what replaces a legacy method is modern', () => {
  for (const { name, replacedBy } of protocol.METHODS) {
    if (replacedBy === undefined) continue;
    expect(protocol.LEGACY_ONLY_METHODS).toContain(name);
    expect(protocol.LEGACY_ONLY_METHODS).not.toContain(replacedBy);
  }
});

test('the listen stream carries the notifications of the filter, its acknowledgment, and nothing else', () => {
  const carried = protocol.NOTIFICATIONS.filter(({ carrier }) => carrier === 'listen').map(
    ({ name }) => name,
  );
  expect(carried.sort()).toEqual(
    [
      ...protocol.FILTER_FIELDS.map(({ notification }) => notification),
      protocol.NOTIFICATION.acknowledged,
    ].sort(),
  );
});

test('each filter field has one publisher', () => {
  expect(protocol.PUBLISHERS.map(({ field, notification }) => [field, notification]).sort()).toEqual(
    protocol.FILTER_FIELDS.map(({ field, notification }) => [field, notification]).sort(),
  );
});

test('subscription calls have a modern replacement, blockers have none', () => {
  for (const { method, role, member } of protocol.LEGACY_ONLY_CALLS) {
    const row = protocol.METHODS.find(({ name }) => name === method);
    expect(row?.replacedBy === protocol.METHOD.subscriptionsListen, member).toBe(role === 'subscription');
  }
});

test('rule names are unique and each shape names one of them or none', () => {
  expect(new Set(protocol.RULE_NAMES).size).toBe(protocol.RULE_NAMES.length);
  for (const { id, rule } of protocol.SHAPES) {
    if (rule !== undefined) expect(protocol.RULE_NAMES, id).toContain(rule);
  }
});

test('each mechanism has a shape, and each shape a known mechanism', () => {
  const used = new Set(protocol.SHAPES.map(({ mechanism }) => mechanism));
  expect([...used].sort()).toEqual([...protocol.MECHANISMS].sort());
});

test('the shapes are those of the catalogue, once each', () => {
  const numbered = { A: 9, B: 4, C: 11, D: 3, E: 4, F: 9, G: 11, H: 11, I: 12, J: 7, K: 4, R: 12 };
  const expected = [
    ...Object.entries(numbered).flatMap(([letter, last]) =>
      Array.from({ length: last }, (_, index) => `${letter}${index + 1}`),
    ),
    ...['L', 'M', 'N', 'GET', 'STDIO', 'REPLAY', 'LISTEN', 'CLOSING', 'ERA', 'LEGACY_CALL'],
  ];
  expect(protocol.SHAPES.map(({ id }) => id).sort()).toEqual(expected.sort());
});

test('shapes of raw JSON-RPC belong to the wire codemods', () => {
  const wire = protocol.SHAPES.filter(({ side }) => side === 'wire').map(({ id }) => id);
  expect(wire.filter((id) => !id.startsWith('R'))).toEqual(['D2', 'D3', 'E2', 'LISTEN', 'CLOSING']);
  expect(
    protocol.SHAPES.filter(({ id, side }) => id.startsWith('R') && side !== 'wire' && id !== 'ERA'),
  ).toEqual([]);
});

test('a shape is looked up by its id, and foreign ids are told apart', () => {
  expect(protocol.shape('G10')).toMatchObject({ id: 'G10', mechanism: 'publish' });
  expect(protocol.isShapeId('A1')).toBe(true);
  expect(protocol.isShapeId('A10')).toBe(false);
  expect(() => protocol.shape('A10' as protocol.ShapeId)).toThrow('A10');
});
