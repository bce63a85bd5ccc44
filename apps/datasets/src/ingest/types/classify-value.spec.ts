import { describe, expect, it } from '@jest/globals';
import { parseJson } from '../parsing/parse-json.js';
import { classifyCell, classifyValue, unionTypes } from './classify-value.js';

it.each([
  ['0', 'bigint'],
  ['-12', 'bigint'],
  ['9223372036854775807', 'bigint'],
  ['9223372036854775808', 'text'],
  ['007', 'text'],
  ['+1', 'text'],
  ['-0', 'double'],
  ['1.50', 'double'],
  ['1e3', 'double'],
  ['1.', 'text'],
  ['.5', 'text'],
  ['1e400', 'text'],
  ['0.30000000000000004', 'double'],
  ['0.1234567890123456789', 'text'],
  ['NaN', 'text'],
  ['true', 'boolean'],
  ['TRUE', 'text'],
  ['2026-02-28T23:59:59Z', 'timestamp'],
  ['2026-02-28 23:59:59.123456+05:30', 'timestamp'],
  ['2026-02-29T00:00:00Z', 'text'],
  ['2024-02-29T00:00:00Z', 'timestamp'],
  ['2026-04-31T00:00:00Z', 'text'],
  ['2026-01-01T24:00:00Z', 'text'],
  ['2026-01-01T00:00:60Z', 'text'],
  ['2026-01-01T00:00:00', 'text'],
  ['0000-01-01T00:00:00Z', 'text'],
  ['2026-01-01T00:00:00.1234567Z', 'text'],
  ['0001-01-01T05:00:00+05:00', 'timestamp'],
  ['0001-01-01T04:59:59+05:00', 'text'],
  ['0001-01-01T00:00:00-05:00', 'timestamp'],
  ['9999-12-31T18:59:59.999999-05:00', 'timestamp'],
  ['9999-12-31T19:00:00-05:00', 'text'],
  ['9999-12-31T23:59:59Z', 'timestamp'],
  ['10.0.0.1', 'inet'],
  ['10.0.0.01', 'text'],
  ['10.0.1', 'text'],
  ['10.0.0.0/8', 'inet'],
  ['10.0.0.1/8', 'text'],
  ['10.0.0.0/33', 'text'],
  ['::1', 'inet'],
  ['2001:DB8::/32', 'inet'],
  ['fe80::1%eth0', 'text'],
  ['01938f5e-7c11-7000-8000-000000000001', 'uuid'],
  ['[1, {"a": 2}]', 'json'],
  ['[INFO] began', 'text'],
  ['', 'text'],
])('a cell %j is %s', (cell, type) => {
  expect(classifyCell(cell)).toBe(type);
});

it.each([
  ['"80"', 'text'],
  ['"true"', 'text'],
  ['"10.0.0.1"', 'inet'],
  ['80', 'bigint'],
  ['0.5', 'double'],
  ['1.0', 'double'],
  ['12345678901234567890', 'text'],
  ['9007199254740992', 'bigint'],
  ['-9007199254740992', 'bigint'],
  ['9007199254740993', 'bigint'],
  ['1000000000000000000000', 'double'],
  ['-0', 'double'],
  ['1e21', 'double'],
  ['false', 'boolean'],
  ['{}', 'json'],
])('a JSON value %s is %s', (json, type) => {
  const [value] = parseJson(`[${json}]`) as unknown[];
  expect(classifyValue(value)).toBe(type);
});

it.each([
  ['bigint', 'bigint', 'bigint'],
  ['bigint', 'double', 'double'],
  ['bigint', 'text', 'text'],
  ['boolean', 'bigint', 'text'],
  ['inet', 'uuid', 'text'],
  ['json', 'bigint', 'json'],
  ['text', 'json', 'json'],
] as const)('%s and %s together are %s', (one, other, union) => {
  expect(unionTypes(one, other)).toBe(union);
  expect(unionTypes(other, one)).toBe(union);
});

it('a key column never mixes integers and other numbers', () => {
  expect(unionTypes('bigint', 'double', true)).toBe('text');
});

describe('a text of 1 MB', () => {
  const zeros = '0'.repeat(1_000_000);
  it.each([
    ['zeros in the middle', `1.${zeros}1`],
    ['zeros at the end', `1.${zeros}`],
    ['zeros in front', `0.${zeros}1`],
    ['an exponent', `1e${zeros}1`],
    ['digits', '1'.repeat(1_000_000)],
    ['brackets', '['.repeat(1_000_000)],
    ['an open string', `["${'\\'.repeat(1_000_000)}`],
  ])('is classified in linear time: %s', (_, text) => {
    for (let times = 0; times < 20; times++) expect(classifyCell(text)).toBe('text');
  });

  it.each([
    ['spaces', `[1,${' '.repeat(1_000_000)}x`],
    ['numbers', `[${'1.0 ,'.repeat(200_000)}x`],
    ['digits', `[${'1'.repeat(500_000)}.${'0'.repeat(500_000)}x`],
    ['beginnings', `[${':'.repeat(1_000_000)}`],
  ])('is recognized as invalid JSON in linear time: %s', (_, text) => {
    for (let times = 0; times < 20; times++) expect(() => parseJson(text, times % 2 === 0)).toThrow();
  });
});
