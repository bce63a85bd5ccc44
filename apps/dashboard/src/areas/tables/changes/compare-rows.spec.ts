import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Change, chooseColumns, compareCell, isSameValue, toChange } from './compare-rows.js';

it('isSameValue compares JSON by value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      expect(isSameValue(one, structuredClone(one))).toBe(true);
      expect(isSameValue(one, other)).toBe(isSameValue(other, one));
    }),
  );
  expect(isSameValue({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
  expect(isSameValue({ a: 1 }, { a: 1, b: undefined })).toBe(false);
  expect(isSameValue(null, undefined)).toBe(true);
  expect(isSameValue([], {})).toBe(false);
});

it('a changed row shows its key and the columns that differ', () => {
  const columns = ['host', 'port', 'note'].map((name) => ({ name, primary_key: name === 'host' }));
  const changed: Change = {
    kind: 'changed',
    row: 1,
    before: { host: 'a', port: 1, note: 'x' },
    after: { host: 'a', port: 2, note: 'x' },
  };
  expect(chooseColumns(columns, [changed], 'changed').map(({ name }) => name)).toEqual(['host', 'port']);
  expect(chooseColumns(columns, [changed], 'new')).toHaveLength(3);
  expect(compareCell(changed, 'port')).toEqual({ before: 1, after: 2, isChanged: true });
  expect(compareCell({ kind: 'gone', row: 1, before: { port: 1 } }, 'port').after).toBe(1);
});

it('a difference between two runs is a change from the first to the second', () => {
  const changed = { change: 'changed' as const, row: 4, key: { host: 'b' }, a: { port: 443 }, b: { port: 8443 } };
  const change = toChange(changed);
  expect(change).toEqual({
    kind: 'changed',
    row: 4,
    before: { host: 'b', port: 443 },
    after: { host: 'b', port: 8443 },
  });
  expect(compareCell(change, 'port')).toEqual({ before: 443, after: 8443, isChanged: true });
  expect(compareCell(change, 'host').isChanged).toBe(false);
});
