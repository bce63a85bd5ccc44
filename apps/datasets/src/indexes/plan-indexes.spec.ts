import { describe, expect, it } from '@jest/globals';
import { NO_COLUMN } from '../live/names.js';
import { planIndexes, type IndexRecord, type PhysicalIndex } from './plan-indexes.js';

const NOW = new Date('2026-02-01T00:00:00Z');
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000);
const columns = Array.from({ length: 30 }, (_, at) => ({
  number: at + 1,
  type: at === 28 ? 'json' : 'text',
  keyPosition: at === 0 ? 1 : null,
}));
const table = { number: 7, rows: 1_000_000n, columns };

const record = (column: number, fields: Partial<IndexRecord> = {}): IndexRecord => ({
  column,
  kind: 'range',
  by: NO_COLUMN,
  state: 'wanted',
  uses: 2n,
  lastUsedAt: NOW,
  ...fields,
});
const valid = (...names: string[]): PhysicalIndex[] => names.map((name) => ({ name, valid: true }));

describe('the indexes of a table', () => {
  it('are built if they were used more than once, the most used ones first', () => {
    const records = [record(2), record(3, { uses: 9n, kind: 'trigram' }), record(4, { uses: 1n })];
    expect(planIndexes(table, records, [], NOW).build).toMatchObject([
      { column: 3, kind: 'trigram' },
      { column: 2, kind: 'range' },
    ]);
  });

  it('are not built for a small table, and are at most twenty', () => {
    const records = columns.slice(1).map(({ number }) => record(number));
    expect(planIndexes({ ...table, rows: 10_000n }, records, [], NOW).build).toEqual([]);
    expect(planIndexes(table, records, [], NOW).build).toHaveLength(20);
    const existing = valid('d_7_2_range', 'd_7_3_range');
    expect(planIndexes(table, records, existing, NOW).build).toHaveLength(18);
  });

  it("are not built if the key's index serves the same queries or values are too long", () => {
    expect(planIndexes(table, [record(1), record(2, { state: 'unfit' })], [], NOW).build).toEqual([]);
    expect(planIndexes(table, [record(1, { kind: 'trigram' })], [], NOW).build).toHaveLength(1);
  });

  it('are built again if their build was interrupted or they are missing', () => {
    const records = [record(2, { state: 'building' }), record(3, { state: 'ready' })];
    const plan = planIndexes(table, records, [{ name: 'd_7_2_range', valid: false }], NOW);
    expect(plan.drop).toEqual(['d_7_2_range']);
    expect(plan.build.map(({ column }) => column)).toEqual([2, 3]);
  });

  it('are ready if they exist, even if the process that built them has ended', () => {
    const plan = planIndexes(table, [record(2, { state: 'building' })], valid('d_7_2_range'), NOW);
    expect(plan).toMatchObject({ drop: [], build: [], ready: [{ column: 2, kind: 'range' }], changes: true });
    const recorded = planIndexes(table, [record(2, { state: 'ready' })], valid('d_7_2_range'), NOW);
    expect(recorded).toMatchObject({ drop: [], forget: [], build: [], changes: false });
  });

  it('are dropped after two weeks without use, or if no record names them', () => {
    const records = [record(2, { state: 'ready', lastUsedAt: daysAgo(15) }), record(3, { lastUsedAt: daysAgo(13) })];
    const plan = planIndexes(table, records, valid('d_7_2_range', 'd_7_3_range', 'd_7_9_trigram'), NOW);
    expect(plan.drop).toEqual(['d_7_2_range', 'd_7_9_trigram']);
    expect(plan.forget).toEqual([{ column: 2, kind: 'range', by: NO_COLUMN }]);
  });

  it('lose their records after a day if they were used too rarely to be built', () => {
    const rare = record(2, { uses: 1n, lastUsedAt: daysAgo(2) });
    expect(planIndexes(table, [rare, record(3, { lastUsedAt: daysAgo(2) })], [], NOW)).toMatchObject({
      forget: [{ column: 2 }],
      build: [{ column: 3 }],
    });
  });

  it('are dropped if they are unfit', () => {
    const plan = planIndexes(table, [record(2, { state: 'unfit' })], valid('d_7_2_range'), NOW);
    expect(plan).toMatchObject({ drop: ['d_7_2_range'], forget: [], ready: [], build: [] });
  });

  it('lose their records if their columns have changed their type', () => {
    const records = [record(29), record(2, { kind: 'ordered', by: 29 }), record(2, { kind: 'contains' })];
    expect(planIndexes(table, [...records, record(29, { kind: 'contains' })], [], NOW)).toMatchObject({
      forget: [{ column: 29, kind: 'range' }, { kind: 'ordered' }, { column: 2, kind: 'contains' }],
      build: [{ column: 29, kind: 'contains' }],
    });
  });

  it('lose their records if their columns were deleted', () => {
    expect(planIndexes(table, [record(99)], [], NOW)).toMatchObject({ forget: [{ column: 99 }], build: [] });
    expect(planIndexes(table, [record(0)], [], NOW)).toMatchObject({ forget: [], build: [{ column: 0 }] });
    const ordered = (by: number) => record(2, { kind: 'ordered', by });
    expect(planIndexes(table, [ordered(99)], valid('d_7_2_ordered_99'), NOW)).toMatchObject({
      drop: ['d_7_2_ordered_99'],
      forget: [{ column: 2, by: 99 }],
      build: [],
    });
    expect(planIndexes(table, [ordered(0)], valid('d_7_2_ordered_0'), NOW)).toMatchObject({ ready: [{ by: 0 }] });
  });
});
