import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { indexColumns } from '@millrace/query/fields/column';
import { parseOrder } from '@millrace/query/parse/parse-order';
import { parseQuery } from '@millrace/query/parse/parse-query';
import { parseSelect } from '@millrace/query/parse/parse-select';
import { nextOrder, readColumns, readOrder, writeOrder } from './read-order.js';
import { addCondition, joinQueries, splitConditions, writeColumn, writeColumns, writeText } from './write-query.js';

const name = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 20, unit: 'binary' }),
    fc.constantFrom('not', 'AND', 'in', '-x', 'a.b', '`', '*', 'null', 'port', '"', "it's", 'x y', ',', '[]'),
  )
  .filter((text) => !text.includes('\0') && text.isWellFormed());
const names = fc.uniqueArray(name, { minLength: 1, maxLength: 8, selector: (text) => text.toLowerCase() });

const toColumns = (list: string[]) => list.map((column) => ({ name: column, type: 'text' as const, source: column }));

it('select and order of hostile names select and sort by these columns, and are read again', () => {
  fc.assert(
    fc.property(names, fc.boolean(), (list, isDescending) => {
      const columns = toColumns(list) as unknown as Parameters<typeof indexColumns>[0];
      expect(parseSelect(writeColumns(list), columns).map((field) => field.name)).toEqual(list);
      expect(readColumns(writeColumns(list))).toEqual(list);
      const order = list.map((column) => ({ column, isDescending }));
      const parsed = parseOrder(writeOrder(order), columns);
      expect(parsed.map(({ field, descending }) => ({ column: field.name, isDescending: descending }))).toEqual(order);
      expect(readOrder(writeOrder(order))).toEqual(order);
    }),
  );
});

it('addCondition adds a condition to any query as an AND', () => {
  const comparison = fc
    .tuple(name, fc.string({ unit: 'binary', maxLength: 12 }))
    .filter(([, text]) => !text.includes('\0') && text.isWellFormed())
    .map(([column, text]) => `${writeColumn(column)} = ${writeText(text)}`);
  const query = fc.letrec<{ query: string }>((tie) => ({
    query: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      comparison,
      fc.tuple(tie('query'), tie('query')).map(([a, b]) => `(${a}) OR (${b})`),
      fc.tuple(tie('query'), tie('query')).map(([a, b]) => `(${a}) and ${b}`),
      tie('query').map((inner) => `NOT (${inner})`),
    ),
  })).query;
  fc.assert(
    fc.property(query, comparison, (q, condition) => {
      const combined = addCondition(q, condition);
      const [, expected] = [0, parseQuery(`(${q}) AND (${condition})`)];
      expect(simplify(parseQuery(combined))).toEqual(simplify(expected));
      // Choosing the same filter twice changes nothing.
      expect(addCondition(combined, condition)).toBe(combined);
    }),
  );
});

/** Without positions, and with nested ANDs and repeated conditions joined. */
function simplify(expression: unknown): unknown {
  const text = JSON.stringify(expression, (key, value: unknown) => (key === 'position' ? undefined : value));
  return flatten(JSON.parse(text) as Node);
}
interface Node {
  kind: string;
  items?: Node[];
  item?: Node;
}
function flatten(node: Node): Node {
  if (node.kind === 'not' && node.item) return { kind: 'not', item: flatten(node.item) };
  if (!node.items) return node;
  const items = node.items
    .map(flatten)
    .flatMap((item) => (node.kind === item.kind && item.items ? item.items : [item]));
  const unique = [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
  return unique.length === 1 && unique[0] ? unique[0] : { kind: node.kind, items: unique };
}

it.each([
  ['', 'a = 1 OR b = 2', 'a = 1 OR b = 2'],
  ['a = 1', '', 'a = 1'],
  ['a = 1', 'b = 2 AND c = 3', 'a = 1 AND b = 2 AND c = 3'],
  ['a = 1 OR b = 2', 'c = 3 OR d = 4', '(a = 1 OR b = 2) AND (c = 3 OR d = 4)'],
])('%p joined with %p is %p', (one, other, joined) => {
  expect(joinQueries(one, other)).toBe(joined);
});

describe('splitConditions', () => {
  it.each([
    ['', []],
    ['port = 443', ['port = 443']],
    ['a = 1 AND b IN (1, 2) and NOT c = "x AND y"', ['a = 1', 'b IN (1, 2)', 'NOT c = "x AND y"']],
    ['and = 1 AND and = 2', undefined],
    ['a = 1 OR b = 2', undefined],
    ['(a = 1 OR b = 2) AND c = 3', ['(a = 1 OR b = 2)', 'c = 3']],
    ['a = ', undefined],
  ])('%p has the conditions %p', (q, parts) => {
    expect(splitConditions(q)).toEqual(parts);
  });
});

describe('nextOrder', () => {
  const order = (text: string, column: string, isAdded: boolean) =>
    writeOrder(nextOrder(readOrder(text), column, isAdded));

  it('sorts by one column: upwards, downwards, not at all', () => {
    expect(order('', 'a', false)).toBe('a');
    expect(order('a', 'a', false)).toBe('-a');
    expect(order('-a', 'a', false)).toBe('');
    expect(order('a,b', 'b', false)).toBe('b');
  });

  it('adds a column to the others, turns it where it is, and removes it', () => {
    expect(order('a', 'b', true)).toBe('a,b');
    expect(order('b,a', 'b', true)).toBe('-b,a');
    expect(order('-b,a', 'b', true)).toBe('a');
    expect(order('a,b,c,d,e,f,g,h,i,j', 'k', true)).toBe('a,b,c,d,e,f,g,h,i,j');
  });
});
