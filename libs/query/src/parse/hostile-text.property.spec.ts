import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compileAggregate } from '../compile/compile-aggregate.js';
import { compileCount } from '../compile/compile-count.js';
import { compilePage } from '../compile/compile-page.js';
import { compileRows } from '../compile/compile-rows.js';
import { CursorError, decodeCursor } from '../compile/encode-cursor.js';
import { completeQuery } from '../complete/complete-query.js';
import { checkQuery } from '../fields/check-query.js';
import { type Column, type SqlText } from '../fields/column.js';
import { type Condition } from '../fields/condition.js';
import { type Field, type Order } from '../fields/field.js';
import { findUnknownSql } from '../testing/find-unknown-sql.js';
import { HOSTILE_COLUMNS as columns, MARK, randomText } from '../testing/random-text.js';
import { parseAggregateOrder } from './parse-aggregate-order.js';
import { parseGroup } from './parse-group.js';
import { parseMetrics } from './parse-metrics.js';
import { parseOrder } from './parse-order.js';
import { parseQuery } from './parse-query.js';
import { parseSelect } from './parse-select.js';
import { QueryError } from './query-error.js';
import { quoteName } from './read-reference.js';

const NOW = new Date('2026-06-15T12:00:00Z');

/** Returns the statements of a query, or none if it is rejected with a QueryError. */
function compiled(make: () => SqlText[]): SqlText[] {
  try {
    return make();
  } catch (error) {
    if (error instanceof QueryError && Number.isInteger(error.position)) return [];
    throw error;
  }
}

const pageOf = (fields: Field[], order: Order[], condition: Condition | null): SqlText[] => {
  const page = { table: 'live.d_7', key: '_id', fields, condition, order, limit: 10 };
  const after = { values: order.map((_, at) => (at % 2 === 0 ? MARK : null)), key: MARK };
  const whole = compilePage({ ...page, after, indexed: false });
  return [...compilePage({ ...page, after: null }), ...compilePage({ ...page, after }), ...whole, compileRows(page)];
};

const [plainSelect] = columns;
const plain: Field[] = [{ name: plainSelect!.name, column: plainSelect! }];

const USES: ((text: string) => SqlText[])[] = [
  (text) => {
    const condition = checkQuery(parseQuery(text), columns, { now: NOW });
    return [...pageOf(plain, [], condition), compileCount('live.d_7', condition, 1_000)];
  },
  (text) => pageOf(parseSelect(text, columns), [], null),
  (text) => pageOf(plain, parseOrder(text, columns), null),
  (text) => {
    const [groups, metrics] = [parseGroup(text, columns), parseMetrics('', columns)];
    return [compileAggregate({ table: 'live.d_7', condition: null, groups, metrics, order: [], limit: 10 })];
  },
  (text) => {
    const metrics = parseMetrics(text, columns);
    const order = parseAggregateOrder(text, { groups: [], metrics }, columns);
    return [compileAggregate({ table: 'live.d_7', condition: null, groups: [], metrics, order, limit: 10 })];
  },
];

describe('a random text', () => {
  it('reaches SQL only as a bound value, or is rejected with a QueryError', () => {
    const accepted = USES.map(() => 0);
    fc.assert(
      fc.property(randomText, fc.nat(USES.length - 1), (text, at) => {
        const statements = compiled(() => USES[at]!(text));
        if (statements.length > 0) accepted[at]! += 1;
        for (const statement of statements) {
          const unknown = findUnknownSql(statement.text);
          if (unknown !== undefined) throw new Error(`${JSON.stringify(unknown)} in ${statement.text}`);
          if (!statement.values.every((value) => value.isWellFormed() && !value.includes('\0')))
            throw new Error('Postgres does not accept a value');
        }
      }),
      { numRuns: 100_000 },
    );
    // Without this check, the test would pass if all texts were rejected.
    for (const count of accepted) expect(count).toBeGreaterThan(300);
  });

  it('can be the name of a column', () => {
    const name = fc
      .oneof(randomText, fc.string({ unit: 'binary' }))
      .filter((text) => text.isWellFormed() && !text.includes('\0'));
    const table = fc
      .uniqueArray(name, { minLength: 1, maxLength: 5 })
      .map((names) => names.map((one, at): Column => ({ name: one, type: 'json', sql: `c${at}` })));
    fc.assert(
      fc.property(table, (own) => {
        const named = own.map((column) => quoteName(column.name));
        const text = named.join(', ');
        expect(parseSelect(text, own).map(({ column }) => column)).toEqual(own);
        const condition = checkQuery(parseQuery(named.map((one) => `${one}.x = ${MARK}`).join(' AND ')), own, {
          now: NOW,
        });
        for (const statement of pageOf(parseSelect(text, own), parseOrder(text, own), condition))
          expect(findUnknownSql(statement.text)).toBeUndefined();
      }),
      { numRuns: 5_000 },
    );
  });

  it('does not break the completion, which replaces only existing text', () => {
    fc.assert(
      fc.property(randomText, fc.integer({ min: -5, max: 200 }), (text, position) => {
        const { from, to } = completeQuery(text, position, columns);
        expect([0 <= from, from <= to, to <= text.length]).toEqual([true, true, true]);
      }),
      { numRuns: 3_000 },
    );
  });

  it('is not accepted as a cursor', () => {
    const order = columns.map((column): Order => ({ field: { name: column.name, column }, descending: false }));
    fc.assert(
      fc.property(fc.oneof(randomText, fc.json().map(btoa8)), (text) => {
        expect(() => decodeCursor(text, MARK, order)).toThrow(CursorError);
      }),
      { numRuns: 3_000 },
    );
  });
});

const btoa8 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

describe('a text of maximum length', () => {
  const times = (text: string, count: number) => text.repeat(count).slice(0, 10_000);
  const texts: [string, string][] = [
    ['open parentheses', times('(', 10_000)],
    ['NOT', times('not ', 10_000)],
    ['quotes', times('"', 10_000)],
    ['quotes that never close', `"${times('\\"', 9_998)}`],
    ['backticks', times('`', 9_999)],
    ['dots', times('a.', 9_999)],
    ['a path', times('a.b.c.', 9_999)],
    ['many paths', times(`${'b.'.repeat(98)}b=1 or `, 9_999)],
    ['a list', `a in (${times('1,', 9_000)}1)`],
    ['comparisons', times('a=1 or ', 9_999)],
    ['digits', `a = ${times('9', 9_990)}`],
    ['a name', `${times('a', 9_990)} = 1`],
    ['minus', times('-', 9_999)],
    ['commas', times('a,', 9_999)],
    ['white space', times(' ', 10_000)],
    ['a text that is too long', 'x'.repeat(1_000_000)],
  ];

  it.each(texts)('with %s is accepted or rejected with a QueryError', (_, text) => {
    for (const use of USES)
      for (const statement of compiled(() => use(text))) expect(findUnknownSql(statement.text)).toBeUndefined();
  });
});
