import { describe, expect, it } from '@jest/globals';
import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { NO_COLUMN } from '../live/names.js';
import { candidateIndex } from './candidate-index.js';

const column = (name: string, type: ColumnType, at: number) => ({ name, type, sql: `c${at}`, system: false });
const shape = {
  leadingKeySql: 'c1',
  columns: [
    column('host', 'text', 1),
    column('port', 'bigint', 2),
    column('tls', 'boolean', 3),
    column('tech', 'json', 4),
  ],
};

describe('the candidate index of a query', () => {
  it.each([
    ['order', 'port', { column: 2, kind: 'range' }],
    ['equality', 'port', { column: 2, kind: 'range' }],
    ['contains', 'tech', { column: 4, kind: 'contains' }],
    ['trigram', 'host', { column: 1, kind: 'trigram' }],
  ] as const)('for %s on %s has the right kind', (kind, name, expected) => {
    expect(candidateIndex(shape, { kind, column: name })).toEqual({ by: NO_COLUMN, ...expected });
  });

  it('has both columns if one is compared for equality and the other orders, whichever is in the key', () => {
    const ordered = (column: string, by: string) => candidateIndex(shape, { kind: 'ordered', column, by });
    expect(ordered('port', 'host')).toEqual({ column: 2, kind: 'ordered', by: 1 });
    expect(ordered('host', 'port')).toBeNull();
    expect(ordered('tls', 'port')).toBeNull();
    expect(ordered('port', 'tech')).toBeNull();
    expect(ordered('port', 'gone')).toBeNull();
  });

  it.each([
    ['the first column of the primary key has one', 'order', 'host'],
    ['one half of a table is as quick without', 'equality', 'tls'],
    ['values inside of json have names of users', 'range', 'tech'],
    ['it is no text', 'trigram', 'port'],
    ['there is no such column', 'order', 'gone'],
  ] as const)('is missing if %s', (_, kind, name) => {
    expect(candidateIndex(shape, { kind, column: name })).toBeNull();
  });
});
