import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Client } from 'pg';
import { checkQuery } from '../fields/check-query.js';
import { type Column } from '../fields/column.js';
import { groupType, metricType } from '../fields/grouping.js';
import { MAX_GROUPS } from '../parse/limits.js';
import { parseGroup } from '../parse/parse-group.js';
import { parseMetrics } from '../parse/parse-metrics.js';
import { quoteName } from '../parse/read-reference.js';
import { connectDatabase, type ConnectedDatabase } from '../testing/connect-database.js';
import { createTable } from '../testing/create-table.js';
import { evaluate } from '../testing/evaluate.js';
import { formatAsText } from '../testing/format-as-text.js';
import { randomQuery } from '../testing/random-query.js';
import { randomTable } from '../testing/random-table.js';
import { type Row } from '../testing/read-guide.js';
import { formatMoment, readMoment } from '../values/moment.js';
import { readField } from '../values/read-field.js';
import { compileAggregate } from './compile-aggregate.js';

let database: ConnectedDatabase;
let client: Client;

beforeAll(async () => {
  database = await connectDatabase();
  ({ client } = database);
});
afterEach(() => client.query('DROP TABLE IF EXISTS t'));
afterAll(() => database.close());

const NOW = new Date('2026-06-15T12:00:00Z');

const withColumn = randomTable.chain((table) =>
  fc.record({
    table: fc.constant(table),
    column: fc.constantFrom(...table.columns),
    query: fc.option(randomQuery(table)),
  }),
);

/** A text that is equal for all values that are equal in Postgres. */
const keyOf = (value: unknown): string => (value == null ? 'null' : `${typeof value} ${formatAsText('json', value)}`);

async function aggregateRows(
  columns: Column[],
  groupBy: string,
  metrics: string,
  query: Parameters<typeof checkQuery>[0],
) {
  const aggregate = {
    groups: parseGroup(groupBy, columns),
    metrics: parseMetrics(metrics, columns),
    condition: checkQuery(query, columns, { now: NOW }),
  };
  const { text, values } = compileAggregate({ ...aggregate, table: 't', order: [], limit: MAX_GROUPS });
  const { rows } = await client.query<Record<string, string | null>>(text, values);
  const found = rows.map((row) => ({
    groups: aggregate.groups.map((group, at) => readField(groupType(group), row[`g${at}`]!)),
    metrics: aggregate.metrics.map((metric, at) => readField(metricType(metric), row[`m${at}`]!)),
  }));
  return { found, condition: aggregate.condition };
}

/** The expected number of rows by group. */
function countBy(rows: Row[], valuesOf: (row: Row) => unknown[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of rows.flatMap(valuesOf).map(keyOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

const fill = async (columns: Column[], rows: Row[]): Promise<void> => {
  await client.query('DROP TABLE IF EXISTS t');
  await createTable(client, columns, rows);
};

const counted = (found: { groups: unknown[]; metrics: unknown[] }[]): [string, unknown][] =>
  found.map(({ groups, metrics }) => [keyOf(groups[0]), metrics[0]]);

describe('an aggregate of a random table', () => {
  it('counts the rows with the same value, and the distinct values', async () => {
    await fc.assert(
      fc.asyncProperty(withColumn, async ({ table: { columns, rows }, column, query }) => {
        await fill(columns, rows);
        const name = quoteName(column.name);
        const { found, condition } = await aggregateRows(columns, name, 'count', query);
        const matching = rows.filter((row) => evaluate(condition, row));
        const expected = countBy(matching, (row) => [row.get(column.name)]);
        expect(new Map(counted(found))).toEqual(expected);
        expect(found).toHaveLength(expected.size);
        const present = matching.filter((row) => row.get(column.name) != null).length;
        const different = [...expected.keys()].filter((key) => key !== 'null').length;
        const whole = await aggregateRows(columns, '', `count, count(${name}), distinct(${name})`, query);
        expect(whole.found).toEqual([{ groups: [], metrics: [matching.length, present, different] }]);
      }),
      { numRuns: 100 },
    );
  });

  it('rounds dates and numbers down to the start of their bucket', async () => {
    await fc.assert(
      fc.asyncProperty(randomTable, fc.integer({ min: 1, max: 1_000 }), async ({ columns, rows }, size) => {
        await fill(columns, rows);
        for (const { name, type } of columns) {
          if (type !== 'timestamp' && type !== 'bigint') continue;
          const { found } = await aggregateRows(
            columns,
            `${quoteName(name)}:${size}${type === 'timestamp' ? 'h' : ''}`,
            'count',
            null,
          );
          const expected = countBy(rows, (row) => [bucketOf(row.get(name), BigInt(size), type)]);
          expect(new Map(counted(found))).toEqual(expected);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('counts the elements of arrays, and calculates exact sums', async () => {
    await fc.assert(
      fc.asyncProperty(randomTable, async ({ columns, rows }) => {
        await fill(columns, rows);
        for (const { name, type } of columns) {
          if (type === 'json') {
            const { found } = await aggregateRows(columns, `${quoteName(name)}[]`, 'count', null);
            const elements = (row: Row): unknown[] =>
              Array.isArray(row.get(name)) ? (row.get(name) as unknown[]) : [];
            expect(new Map(counted(found))).toEqual(countBy(rows, elements));
          }
          if (type === 'bigint') {
            const { found } = await aggregateRows(columns, '', `sum(${quoteName(name)})`, null);
            const values = rows.map((row) => row.get(name)).filter((value) => value != null);
            const sum = values.reduce<bigint>((all, value) => all + BigInt(value as number), 0n);
            expect(found[0]?.metrics[0] ?? null).toEqual(values.length === 0 ? null : readField('bigint', String(sum)));
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});

const floor = (value: bigint, length: bigint): bigint => value - (((value % length) + length) % length);

/** The first moment of the year 1, a Monday. */
const FIRST_MOMENT = readMoment('0001-01-01', NOW)!;

/** The bucket of a value for a number of hours, or for a width, as `readField` returns it. */
function bucketOf(value: unknown, size: bigint, type: 'timestamp' | 'bigint'): unknown {
  if (value == null) return null;
  if (type === 'bigint') return readField('json', String(floor(BigInt(value as number | string), size)));
  return formatMoment(FIRST_MOMENT + floor(readMoment(value as string, NOW)! - FIRST_MOMENT, size * 3_600_000_000n));
}
