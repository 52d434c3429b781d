import { describe, expect, it } from 'vitest';
import { changeEntries, entryText } from '../../src/workspace/manifest-edit.js';

const replaced = (text: string, section = 'dependencies'): string =>
  changeEntries(text, [{ section, remove: ['old'], add: { new: '"^2.0.0"', also: '"^2.1.0"' } }]);

describe('entries of a package.json', () => {
  it('come where the order of the names wants them', () => {
    expect(replaced('{\n  "dependencies": {\n    "b": "1",\n    "old": "1",\n    "z": "1"\n  }\n}\n')).toBe(
      '{\n  "dependencies": {\n    "also": "^2.1.0",\n    "b": "1",\n    "new": "^2.0.0",\n    "z": "1"\n  }\n}\n',
    );
  });

  it('come where the removed one was when the names have no order', () => {
    expect(replaced('{\n  "dependencies": {\n    "z": "1",\n    "old": "1",\n    "b": "1"\n  }\n}')).toBe(
      '{\n  "dependencies": {\n    "z": "1",\n    "new": "^2.0.0",\n    "also": "^2.1.0",\n    "b": "1"\n  }\n}',
    );
  });

  it.each([
    [
      'tabs',
      '{\n\t"dependencies": {\n\t\t"old": "1"\n\t}\n}',
      '\n\t\t"also": "^2.1.0",\n\t\t"new": "^2.0.0"\n\t',
    ],
    [
      'Windows',
      '{\r\n "dependencies": {\r\n  "old": "1"\r\n }\r\n}\r\n',
      '\r\n  "also": "^2.1.0",\r\n  "new": "^2.0.0"\r\n ',
    ],
    ['one line', '{ "dependencies": { "old": "1" } }', ' "also": "^2.1.0", "new": "^2.0.0" '],
    ['a narrow line', '{"dependencies":{"old":"1"}}', '"also":"^2.1.0","new":"^2.0.0"'],
    ['a line without spaces inside', '{"dependencies": {"old": "1"}}', '"also": "^2.1.0", "new": "^2.0.0"'],
  ])('follow the layout: %s', (_, text, entries) => {
    const [before, after] = text.split(/"old":\s*"1"/);
    const open = before!.lastIndexOf('{') + 1;
    const tail = /\}/.exec(after!)!.index;
    expect(replaced(text)).toBe(before!.slice(0, open) + entries + after!.slice(tail));
  });

  it('leave every other byte', () => {
    const odd =
      '{"name" : "x",\n\n "dependencies":{ "a" :"1" ,\n "old":"1",\n   "z": "1" },"files":[ "dist" ]}';
    const text = changeEntries(odd, [{ section: 'dependencies', remove: ['old'], add: {} }]);
    expect(text).toBe('{"name" : "x",\n\n "dependencies":{ "a" :"1",\n   "z": "1" },"files":[ "dist" ]}');
  });

  it('leave an empty object when the last one is removed, and nothing when there is no such object', () => {
    const remove = [{ section: 'dependencies', remove: ['old'], add: {} }];
    expect(changeEntries('{ "dependencies": { "old": "1" } }', remove)).toBe('{ "dependencies": {} }');
    expect(changeEntries('{ "name": "x" }', remove)).toBe('{ "name": "x" }');
    expect(changeEntries('{ "dependencies": {} }', remove)).toBe('{ "dependencies": {} }');
  });

  it.each([
    [
      'there is none',
      '{\n  "name": "x"\n}\n',
      '{\n  "name": "x",\n  "dependencies": {\n    "also": "^2.1.0",\n    "new": "^2.0.0"\n  }\n}\n',
    ],
    [
      'there is one of development',
      '{\n\t"devDependencies": {\n\t\t"b": "1"\n\t},\n\t"files": []\n}\n',
      '{\n\t"dependencies": {\n\t\t"also": "^2.1.0",\n\t\t"new": "^2.0.0"\n\t},\n\t"devDependencies": {\n\t\t"b": "1"\n\t},\n\t"files": []\n}\n',
    ],
    [
      'it is empty',
      '{\r\n  "dependencies": {},\r\n  "files": []\r\n}\r\n',
      '{\r\n  "dependencies": {\r\n    "also": "^2.1.0",\r\n    "new": "^2.0.0"\r\n  },\r\n  "files": []\r\n}\r\n',
    ],
    ['the file is one line', '{}', '{"dependencies": {"also":"^2.1.0","new": "^2.0.0"}}'],
  ])('come into a new object when %s', (_, text, expected) => {
    expect(replaced(text)).toBe(expected);
  });

  it('are not added twice', () => {
    expect(replaced('{ "dependencies": { "new": "^1.0.0", "old": "1" } }')).toBe(
      '{ "dependencies": { "also": "^2.1.0", "new": "^1.0.0" } }',
    );
  });

  it('of several objects change at once', () => {
    const text = '{ "dependencies": { "old": "1" }, "devDependencies": { "old": "1" } }';
    const changes = ['dependencies', 'devDependencies'].map((section) => ({
      section,
      remove: ['old'],
      add: { new: '"2"' },
    }));
    expect(changeEntries(text, changes)).toBe(text.replaceAll('"old": "1"', '"new": "2"'));
  });

  it('are told as they are written', () => {
    expect(entryText('{ "meta": { "x": { "optional":true } } }', 'meta', 'x')).toBe('{ "optional":true }');
    expect(entryText('{ "meta": {} }', 'meta', 'x')).toBeUndefined();
  });
});
