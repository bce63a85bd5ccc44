import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  addAnchor,
  addPage,
  countKnown,
  createIndex,
  dropFarRows,
  findRow,
  findSegment,
  isComplete,
  segmentAt,
  type RowIndex,
} from './row-index.js';

/** Reads from a table whose rows are their own positions. A cursor is the next position, an anchor begins at its `q`. */
function readPage(total: number, { q, cursor }: { q: string; cursor?: string }, size: number) {
  const start = cursor === undefined ? Number(q) : Number(cursor);
  const end = Math.min(total, start + size);
  return {
    rows: Array.from({ length: end - start }, (_, offset) => start + offset),
    cursor: end < total ? String(end) : null,
  };
}

const action = fc.record({
  kind: fc.constantFrom('read', 'pass', 'anchor', 'drop'),
  row: fc.nat(2_000),
  size: fc.integer({ min: 1, max: 300 }),
});

function apply(
  index: RowIndex<number>,
  total: number,
  { kind, row, size }: typeof action extends fc.Arbitrary<infer A> ? A : never,
) {
  const position = findSegment(index, row);
  const segment = segmentAt(index, position);
  if (kind === 'drop') return dropFarRows(index, row, size);
  if (kind === 'anchor') return row < total ? addAnchor(index, row, { q: String(row) }) : index;
  if (segment.rows) return index;
  const page = readPage(total, segment.from, size);
  return addPage(index, position, kind === 'pass' ? { ...page, rows: page.rows.length } : page);
}

it('after any reads, jumps and drops, segments have no gaps and each row is at its position', () => {
  fc.assert(
    fc.property(fc.nat(1_500), fc.array(action, { maxLength: 40 }), (total, actions) => {
      let index = createIndex<number>('0');
      for (const one of actions) index = apply(index, total, one);
      let end = 0;
      for (const { start, size, rows } of index) {
        expect(start).toBe(end);
        end += size ?? 0;
        for (const [offset, row] of (rows ?? []).entries()) expect(row).toBe(start + offset);
        if (rows) expect(rows).toHaveLength(size ?? -1);
      }
      expect(countKnown(index)).toBeLessThanOrEqual(total);
      if (isComplete(index)) expect(countKnown(index)).toBe(total);
    }),
  );
});

it('reading from the first segment without rows reaches every row', () => {
  fc.assert(
    fc.property(fc.nat(800), fc.integer({ min: 1, max: 90 }), fc.nat(800), (total, size, anchor) => {
      let index = createIndex<number>('0');
      if (anchor < total) index = addAnchor(index, anchor, { q: String(anchor) });
      for (;;) {
        const position = index.findIndex(({ rows }) => !rows);
        if (position === -1) break;
        index = addPage(index, position, readPage(total, segmentAt(index, position).from, size));
      }
      expect(countKnown(index)).toBe(total);
      for (let row = 0; row < total; row += 1) expect(findRow(index, row)).toBe(row);
    }),
  );
});

it('dropFarRows keeps the nearest rows, and at most the limit if there are several segments', () => {
  let index = createIndex<number>('0');
  for (let position = 0; position < 10; position += 1)
    index = addPage(index, position, readPage(10_000, segmentAt(index, position).from, 100));
  index = dropFarRows(index, 950, 300);
  expect(index.filter(({ rows }) => rows).map(({ start }) => start)).toEqual([700, 800, 900]);
  expect(findRow(index, 50)).toBeUndefined();
});
