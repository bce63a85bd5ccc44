import { describe, expect, it } from '@jest/globals';
import { type Column } from '../fields/column.js';
import { parseOrder } from '../parse/parse-order.js';
import { compilePage, type Cursor } from './compile-page.js';

const columns: Column[] = [
  { name: 'a', type: 'bigint', sql: 'c1' },
  { name: 'b', type: 'bigint', sql: 'c2' },
  { name: 'n', type: 'bigint', sql: 'c3', nullable: false },
  { name: '_row', type: 'bigint', sql: '_id', nullable: false },
];

/** The text after FROM of each statement, with its values inserted. */
const ranges = (order: string, after: Cursor | null, indexed = true): string[] =>
  compilePage({
    table: 't',
    key: '_id',
    fields: [],
    condition: null,
    order: parseOrder(order, columns),
    after,
    limit: 9,
    indexed,
  }).map(({ text, values }) =>
    text
      .slice(text.indexOf(' FROM t') + 8)
      .replace(/ LIMIT .*/, '')
      .replaceAll(/\$(\d+)::bigint/g, (_, at: string) => values[Number(at) - 1]!),
  );

describe('the statements of a page', () => {
  it('are one statement for the first page if an index has the order', () => {
    expect(ranges('', null)).toEqual(['ORDER BY _id']);
    expect(ranges('a', null)).toEqual(['ORDER BY c1, _id']);
    expect(ranges('-n', null)).toEqual(['ORDER BY c3 DESC, _id DESC']);
    expect(ranges('-a', null)).toEqual([
      'WHERE c1 IS NOT NULL ORDER BY c1 DESC, _id DESC',
      'WHERE c1 IS NULL ORDER BY c1 DESC, _id DESC',
    ]);
  });

  it('each read one range after the row of the cursor', () => {
    expect(ranges('a, -b', { values: ['1', '2'], key: '3' })).toEqual([
      'WHERE c1 = 1 AND c2 = 2 AND _id > 3 ORDER BY _id',
      'WHERE c1 = 1 AND c2 < 2 ORDER BY c2 DESC, _id',
      'WHERE c1 = 1 AND c2 IS NULL ORDER BY c2 DESC, _id',
      'WHERE c1 > 1 ORDER BY c1, c2 DESC NULLS LAST, _id',
      'WHERE c1 IS NULL ORDER BY c1, c2 DESC NULLS LAST, _id',
    ]);
  });

  it('read no range after rows without a value, and no such rows of a column that is not nullable', () => {
    expect(ranges('-a', { values: [null], key: '3' })).toEqual([
      'WHERE c1 IS NULL AND _id < 3 ORDER BY c1 DESC, _id DESC',
    ]);
    expect(ranges('n', { values: ['1'], key: '3' })).toEqual([
      'WHERE c3 = 1 AND _id > 3 ORDER BY _id',
      'WHERE c3 > 1 ORDER BY c3, _id',
    ]);
  });

  it('ignore columns of the order after the key', () => {
    expect(ranges('-_row, a', { values: ['3', '1'], key: '3' })).toEqual(['WHERE _id < 3 ORDER BY _id DESC']);
    expect(ranges('a, -_row', { values: ['1', '3'], key: '3' })[0]).toBe('WHERE c1 = 1 AND _id < 3 ORDER BY _id DESC');
  });

  it('bind only values that they use', () => {
    const order = parseOrder('j.x, -a', [...columns, { name: 'j', type: 'json', sql: 'c4' }]);
    const page = { table: 't', key: '_id', fields: [], condition: null, order, limit: 9 };
    const after = { values: ['1', '2'], key: '3' };
    for (const indexed of [true, false])
      for (const place of [null, after])
        for (const { text, values } of compilePage({ ...page, indexed, after: place }))
          expect(new Set(text.match(/\$\d+/g))).toEqual(new Set(values.map((_, at) => `$${at + 1}`)));
  });

  it('are one statement if no index has the order', () => {
    expect(ranges('-a', null, false)).toEqual(['ORDER BY c1 DESC NULLS LAST, _id DESC']);
    expect(ranges('-a', { values: ['1'], key: '3' }, false)).toEqual([
      'WHERE ((c1 = 1 AND _id < 3) OR (c1 < 1) OR (c1 IS NULL)) ORDER BY c1 DESC NULLS LAST, _id DESC',
    ]);
    expect(ranges('', { values: [], key: '3' }, false)).toEqual(['WHERE _id > 3 ORDER BY _id']);
  });
});
