import { expect, it } from '@jest/globals';
import { readJsonText } from './read-json-text.js';

it('readJsonText reads the same values as JSON.parse', () => {
  const value = { a: ['}', '"]\\', { constructor: 'x', b: '__proto__', '1': 1e3 }], '\u001b': null };
  expect(readJsonText(` \n${JSON.stringify(value, null, 2)}\n`)).toEqual(value);
  expect(readJsonText(`{"a":${'['.repeat(499)}${']'.repeat(499)}}`)).toBeDefined();
});

it.each([
  ['YAML', 'a: 1'],
  ['a flow map that is no JSON', '{a: 1}'],
  ['a list', '[1]'],
  ['a text', '"{}"'],
  ['two documents', '{}\n---\n{}'],
  ['a truncated text', '{"a": "'],
  ['a number out of range', '{"a": 1e400}'],
  ['a NUL character', String.raw`{"a": "\u0000"}`],
  ['half of a surrogate pair', String.raw`{"a": "\ud800"}`],
  ['a key that names the prototype', '{"a": [{"__proto__": {}}]}'],
  ['such a key that is written in escapes', String.raw`{"\u005f_proto__": {}}`],
  ['a key that names the constructor', '{"constructor": {"prototype": 1}}'],
  ['501 levels', `{"a":${'['.repeat(501)}${']'.repeat(501)}}`],
  ['twenty million levels', `{"a":${'['.repeat(20_000_000)}`],
])('readJsonText leaves %s to the YAML parser', (_, text) => {
  expect(readJsonText(text)).toBeUndefined();
});
