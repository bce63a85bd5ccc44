import { expect, it } from '@jest/globals';
import { readField } from './read-field.js';

it.each([
  ['text', 'a', 'a'],
  ['bigint', '9007199254740991', 9007199254740991],
  ['bigint', '9007199254740992', '9007199254740992'],
  ['bigint', '-9223372036854775808', '-9223372036854775808'],
  ['double', '1e+21', 1e21],
  ['boolean', 'true', true],
  ['boolean', 'false', false],
  ['timestamp', '2026-01-31 12:00:00Z', '2026-01-31T12:00:00.000Z'],
  ['timestamp', '2026-01-31 12:00:00.5Z', '2026-01-31T12:00:00.500Z'],
  ['timestamp', '2026-01-31 12:00:00.1234Z', '2026-01-31T12:00:00.123400Z'],
  ['inet', '10.0.0.0/8', '10.0.0.0/8'],
  ['json', '{"a": [1, 12345678901234567890, 1.5]}', { a: [1, '12345678901234567890', 1.5] }],
  ['json', '1000000000000000000000', 1e21],
  ['json', '"12345678901234567890"', '12345678901234567890'],
] as const)('readField converts the %s %s', (type, text, expected) => {
  expect(readField(type, text)).toEqual(expected);
});

it('readField returns null for a missing value of any type', () => {
  expect(readField('json', null)).toBeNull();
  expect(readField('text', null)).toBeNull();
});

it('readField retains the key __proto__ of an object', () => {
  const read = readField('json', '{"__proto__": {"a": 12345678901234567890}}') as object;
  expect(Object.entries(read)).toEqual([['__proto__', { a: '12345678901234567890' }]]);
});
