import { describe, expect, it } from '@jest/globals';
import type { RowComparison, TableComparison } from '@millrace/client';
import { findTable, formatRow, formatTables } from './compare-tables.js';

const side = { load: 'complete' as const, rows: 970, deleted: 0, rejected: 0 };
const table: TableComparison = {
  ...{ dataset: '01a2', name: 'hosts', primary_key: ['host'], a: { ...side, load: 'partial', rejected: 2 } },
  ...{ b: { ...side, rows: 990, deleted: 1 }, counts: { same: 960, new: 25, changed: 4, gone: 6 } },
  columns: { only_in_a: [], only_in_b: ['owner', 'port'] },
};

describe('formatTables', () => {
  it('shows the rows of each run, how many differ, and columns that one run lacks', () => {
    const absent: TableComparison = { ...table, name: 'ports', a: { ...side, load: 'absent', rows: 0 }, b: side };
    expect(formatTables([table, absent]).split('\n')).toEqual([
      'TABLE  ROWS OF A                  ROWS OF B              SAME  NEW  CHANGED  GONE',
      'hosts  970 (partial, 2 rejected)  990 (1 deleted since)  960   25   4        6',
      'ports  -                          970                    960   25   4        6',
      'hosts: only B has the columns owner, port',
      'ports: only B has the columns owner, port',
      '',
    ]);
  });

  it('says why rows are not known', () => {
    const columns = { only_in_a: [], only_in_b: [] };
    const unknown = { ...side, rows: null, deleted: null };
    const message = 'The table was cleared.';
    const text = formatTables([
      { ...table, a: unknown, b: unknown, counts: null, reason: 'cleared', message, columns },
    ]);
    expect(text).toContain('hosts  ?          ?          ?     ?    ?        ?\nhosts: The table was cleared.\n');
    expect(formatTables([])).toBe('Neither run loaded a Live Table.\n');
  });
});

describe('formatRow', () => {
  it.each<[RowComparison, string]>([
    [{ change: 'new', row: 3, key: { host: 'a' }, b: { host: 'a', n: 1 } }, 'new      host="a"\n'],
    [
      { change: 'changed', row: 2, key: { host: 'b' }, a: { n: 1 }, b: { n: null } },
      'changed  host="b"  n: 1 → null\n',
    ],
    [{ change: 'gone', row: 1, a: { host: 'c', n: 1 } }, 'gone     #1  host="c" n=1\n'],
  ])('shows the key and what differs: %j', (row, line) => {
    expect(formatRow(row)).toBe(line);
  });
});

describe('findTable', () => {
  it('finds a table by its name or id, and lists the tables if it cannot decide', () => {
    const other = { ...table, dataset: '01a3' };
    expect(findTable([table], 'hosts')).toBe(table);
    expect(findTable([table, other], '01a3')).toBe(other);
    expect(() => findTable([table, other], 'hosts')).toThrow('2 tables are named "hosts". Use an id:\n  01a2  hosts');
    expect(() => findTable([table], 'ports')).toThrow('No run loaded the table "ports".\n  01a2  hosts');
  });
});
