import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { moveColumn, placeColumns, scrollToColumn, visibleColumns } from './column-layout.js';
import { formatCell } from './format-cell.js';
import { maxOffset, offsetOfRow, ROW_HEIGHT, rowsAt, scaleRows } from './scroll-scale.js';

const column = (name: string) => ({ name, type: 'text' as const, isKey: false });
const layoutOf = (widths: number[], pinned: number) => {
  const columns = widths.map((_, index) => column(`c${index}`));
  const byName = Object.fromEntries(widths.map((width, index) => [`c${index}`, width]));
  const names = columns.slice(0, pinned).map(({ name }) => name);
  return placeColumns(columns, byName, names, 60);
};

it('columns stand side by side, and scrolling to one makes it visible beside the pinned ones', () => {
  const widths = fc.array(fc.integer({ min: 56, max: 300 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(widths, fc.nat(2), fc.nat(39), fc.nat(9_000), (list, pinned, index, scrollLeft) => {
      const layout = layoutOf(list, pinned);
      let left = 60;
      for (const one of layout.columns) {
        expect(one.left).toBe(left);
        left += one.width;
      }
      expect(layout.totalWidth).toBe(left);
      const target = layout.columns[index];
      if (!target) return;
      const width = layout.pinnedWidth + 320;
      const next = scrollToColumn(layout, index, scrollLeft, width);
      expect(visibleColumns(layout, next, width)).toContain(target);
      if (!target.isPinned) {
        expect(target.left - next).toBeGreaterThanOrEqual(layout.pinnedWidth);
        expect(target.left + target.width - next).toBeLessThanOrEqual(width);
      }
    }),
  );
});

it('moveColumn places a column where the other one is', () => {
  const names = ['a', 'b', 'c', 'd'];
  expect(moveColumn(names, 'a', 'c')).toEqual(['b', 'c', 'a', 'd']);
  expect(moveColumn(names, 'd', 'b')).toEqual(['a', 'd', 'b', 'c']);
  expect(moveColumn(names, 'x', 'b')).toEqual(names);
});

it('the ends of the scrollbar are the first and the last row, for any number of rows', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50_000_000 }), fc.integer({ min: 100, max: 2_000 }), (count, viewport) => {
      const { height, factor } = scaleRows(count, viewport);
      expect(height).toBeLessThanOrEqual(15_000_000);
      const end = Math.max(0, height - viewport) * factor;
      expect(Math.abs(end - maxOffset(count, viewport))).toBeLessThan(1);
      expect(rowsAt(maxOffset(count, viewport), viewport, count).last).toBe(count - 1);
      expect(rowsAt(0, viewport, count).first).toBe(0);
    }),
  );
});

it('offsetOfRow shows the row completely', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.nat(32_000_000), fc.integer({ min: 64, max: 2_000 }), (row, offset, viewport) => {
      const next = offsetOfRow(row, offset, viewport);
      expect(row * ROW_HEIGHT).toBeGreaterThanOrEqual(next);
      expect((row + 1) * ROW_HEIGHT).toBeLessThanOrEqual(next + viewport);
    }),
  );
});

describe('formatCell', () => {
  it.each([
    [null, 'text', '', true],
    ['', 'text', '', false],
    [443, 'bigint', '443', false],
    ['9007199254740993', 'bigint', '9007199254740993', false],
    [false, 'boolean', 'false', false],
    ['2026-06-14T12:00:00.000Z', 'timestamp', '2026-06-14 12:00:00', false],
    ['2026-06-14T12:00:00.123456Z', 'timestamp', '2026-06-14 12:00:00.123456', false],
    [{ tls: null, tech: ['php'] }, 'json', '{"tls":null,"tech":["php"]}', false],
  ])('shows %p of type %s as "%s"', (value, type, text, isMissing) => {
    expect(formatCell(value, type)).toEqual({ text, isMissing });
  });
});
