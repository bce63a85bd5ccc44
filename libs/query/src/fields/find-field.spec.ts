import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseOrder } from '../parse/parse-order.js';
import { parseSelect } from '../parse/parse-select.js';
import { HOSTILE_NAMES } from '../testing/random-table.js';
import { type Column } from './column.js';

const columnsOf = (...names: string[]): Column[] =>
  names.map((name, at) => ({ name, type: name === name.toUpperCase() ? 'text' : 'json', sql: `c${at}` }));
const select = (text: string, columns: Column[]) =>
  parseSelect(text, columns).map(({ name, column, path }) => [name, column.name, ...(path ?? [])]);

describe('a reference to a column', () => {
  const columns = columnsOf('Host', 'host', 'Port', 'a', 'a.b', 'TEXT', 'a.b.c d');

  it.each([
    ['host', ['host', 'host']],
    ['Host', ['Host', 'Host']],
    ['PORT', ['Port', 'Port']],
    ['a.b', ['a.b', 'a.b']],
    ['a.b.c', ['a.b.c', 'a.b', 'c']],
    ['`a`.b', ['`a`.b', 'a', 'b']],
    ['`a`.b.c', ['`a`.b.c', 'a', 'b', 'c']],
    ['a.c', ['a.c', 'a', 'c']],
    ['a.`b`', ['`a`.b', 'a', 'b']],
    ['A.B.x', ['a.b.x', 'a.b', 'x']],
    ['a.`odd key`.0', ['`a`.`odd key`.0', 'a', 'odd key', '0']],
    ['"a.b.c d"', ['a.b.c d', 'a.b.c d']],
  ])('written as %s selects a column or a path', (text, expected) => {
    expect(select(text, columns)).toEqual([expected]);
  });

  it.each([
    ['HOST', 0, '"HOST" matches "Host" and "host"; write the name with the same upper and lower case'],
    ['a, prt', 3, 'names the column "prt", which does not exist; did you mean "Port"?'],
    ['`port`', 0, 'names the column "port", which does not exist; did you mean "Port"?'],
    [
      'zzzzzzzzz',
      0,
      'names the column "zzzzzzzzz", which does not exist; the columns are "Host", "host", "Port", "a", "a.b", "TEXT", "a.b.c d"',
    ],
    ['TEXT.x', 0, '"TEXT" is of type text and has no parts; only columns of type json have parts'],
  ])('written as %s is rejected', (text, position, message) => {
    expect(() => select(text, columns)).toThrow(expect.objectContaining({ part: 'select', position, message }));
  });

  it('is rejected with at most twenty columns if it resembles no column', () => {
    const expecting = (expected: string[]) => expect.objectContaining({ expected });
    expect(() => select('zzzzzzzzz', columns)).toThrow(expecting(columns.map((column) => column.name)));
    const many = Array.from({ length: 30 }, (_, at) => `c${at}`);
    expect(() => select('zzzzzzzzz', columnsOf(...many))).toThrow(expecting(many.slice(0, 20)));
    expect(() => select('zzzzzzzzz', columnsOf(...many))).toThrow(
      '"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9" and 20 more',
    );
  });

  it('has a name that refers to the same path', () => {
    const segment = fc.constantFrom('a', 'b', 'c', 'c d', 'a.b', '`', '0', '');
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 3 }), (path) => {
        const text = ['`a`', ...path.map((part) => `\`${part.replaceAll('`', '``')}\``)].join('.');
        const [[name = '', ...place] = []] = select(text, columns);
        expect(place).toEqual(['a', ...path]);
        expect(select(name, columns)).toEqual([[name, ...place]]);
      }),
    );
  });

  it('can be any text in backticks or quotes', () => {
    const all = columnsOf(...HOSTILE_NAMES);
    for (const name of HOSTILE_NAMES) {
      expect(select(`\`${name.replaceAll('`', '``')}\``, all)).toEqual([[name, name]]);
      expect(select(JSON.stringify(name).replaceAll('\\n', '\n'), all)).toEqual([[name, name]]);
    }
  });
});

describe('the parameter select', () => {
  const columns: Column[] = [...columnsOf('A', 'b'), { name: '_id', type: 'bigint', sql: '_id', hidden: true }];
  const names = (text?: string) => parseSelect(text, columns).map(({ name }) => name);

  it('selects all columns except hidden ones by default', () => {
    for (const text of [undefined, '', ' ', '*']) expect(names(text)).toEqual(['A', 'b']);
  });

  it('selects hidden columns by name, and repeated columns once', () => {
    expect(names('_id, A, a, *, b.c, `b`.c')).toEqual(['_id', 'A', 'b', 'b.c']);
  });

  it.each([
    ['A B', 2],
    ['A,', 2],
    [',', 0],
    [`A${',A'.repeat(100)}`, 199],
  ])('%s is rejected', (text, position) => {
    expect(() => names(text)).toThrow(expect.objectContaining({ part: 'select', position }));
  });
});

describe('the parameter order', () => {
  const columns = columnsOf('A', 'b', '-A', '-');
  const order = (text?: string) =>
    parseOrder(text, columns).map(({ field, descending }) => `${descending ? 'down' : 'up'} ${field.name}`);

  it.each([
    [undefined, []],
    ['A', ['up A']],
    ['-A, b.c', ['down A', 'up b.c']],
    ['-`A`', ['down A']],
    ['`-A`', ['up -A']],
    ['-`-A`, -"-"', ['down -A', 'down -']],
    ['A, -A, b', ['up A', 'up b']],
  ])('%s is parsed', (text, expected) => {
    expect(order(text)).toEqual(expected);
  });

  it.each(['--A', '- -A', '+A', '-', 'A desc', '*'])('%s is rejected', (text) => {
    expect(() => order(text)).toThrow(expect.objectContaining({ part: 'order' }));
  });
});
