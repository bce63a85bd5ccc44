import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkQuery } from '@millrace/query/fields/check-query';
import { COLUMN_TYPES, type Column } from '@millrace/query/fields/column';
import { parseQuery } from '@millrace/query/parse/parse-query';
import { evaluate } from '@millrace/query/testing/evaluate';
import { HOSTILE_NAMES, randomValue } from '@millrace/query/testing/random-table';
import { isFilterable, writeBound, writeIs, writeIsNot, writeIsOneOf } from './write-filter.js';

const CLOCK = { now: new Date(0) };

/** Whether a row with this value matches the written condition, by the evaluator of the language. */
function matches(condition: string, column: Column, value: unknown): boolean {
  return evaluate(checkQuery(parseQuery(condition), [column], CLOCK), new Map([[column.name, value]]));
}

const column = fc
  .record({ name: fc.constantFrom(...HOSTILE_NAMES), type: fc.constantFrom(...COLUMN_TYPES) })
  .filter(({ name }) => name !== '')
  .map((one): Column => ({ ...one, sql: 'c0' }));
const valueOf = (of: Column) => fc.option(randomValue(of.type), { freq: 5 });

/** A column with two values, often the same. */
const example = column.chain((one) =>
  fc
    .tuple(valueOf(one), valueOf(one), fc.boolean())
    .map(([value, other, isSame]) => ({ column: one, value, other: isSame ? value : other })),
);

const isSame = (one: unknown, other: unknown): boolean =>
  (one ?? null) === (other ?? null) || (typeof one === 'number' && typeof other === 'number' && one === other);

/** The same number, address or key may have several spellings; the API returns one of them. */
const hasOneSpelling = ({ type }: Column, value: unknown): boolean =>
  !(type === 'inet' && /^::ffff:|\/(32|128)$/.test(String(value))) &&
  !(type === 'bigint' && typeof value === 'string' && Math.abs(Number(value)) <= 2 ** 53 - 1);

it('"only this" finds the rows with exactly this value, and "not this" all others', () => {
  fc.assert(
    fc.property(example, ({ column: one, value, other }) => {
      fc.pre(isFilterable(value) && isFilterable(other) && hasOneSpelling(one, value) && hasOneSpelling(one, other));
      expect(matches(writeIs(one, value), one, value)).toBe(true);
      expect(matches(writeIs(one, value), one, other)).toBe(isSame(value, other));
      expect(matches(writeIsNot(one, value), one, other)).toBe(!isSame(value, other));
    }),
    { numRuns: 1_000 },
  );
});

it('a list of values finds the rows with one of them', () => {
  const list = column.chain((one) =>
    fc.record({
      column: fc.constant(one),
      values: fc.array(valueOf(one), { minLength: 1, maxLength: 6 }),
      other: valueOf(one),
    }),
  );
  fc.assert(
    fc.property(list, ({ column: one, values, other }) => {
      fc.pre([...values, other].every((value) => isFilterable(value) && hasOneSpelling(one, value)));
      for (const value of values) expect(matches(writeIsOneOf(one, values), one, value)).toBe(true);
      expect(matches(writeIsOneOf(one, values), one, other)).toBe(values.some((value) => isSame(value, other)));
    }),
    { numRuns: 500 },
  );
});

it('a bound includes its value', () => {
  fc.assert(
    fc.property(example, ({ column: one, value }) => {
      fc.pre(value !== null && isFilterable(value) && !['boolean', 'json'].includes(one.type));
      expect(matches(writeBound(one, '>=', value), one, value)).toBe(true);
      expect(matches(writeBound(one, '<=', value), one, value)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

it.each([
  ['text', `it's "y" \\`, String.raw`host = "it's \"y\" \\"`],
  ['text', 'null', 'host = "null"'],
  ['text', null, 'host IS NULL'],
  ['bigint', 443, 'host = 443'],
  ['inet', '10.0.0.1', 'host = 10.0.0.1'],
  ['inet', '10.0.0.0/8', 'host LIKE "10.0.0.0/8"'],
  ['timestamp', '2026-06-14T12:00:00.000Z', 'host = 2026-06-14T12:00:00.000Z'],
  ['json', '90', '(host = "90" AND host != 90)'],
  ['json', 90, 'host = 90'],
] as const)('of a column of type %s, "only this" for %p is %s', (type, value, condition) => {
  expect(writeIs({ name: 'host', type }, value)).toBe(condition);
});
