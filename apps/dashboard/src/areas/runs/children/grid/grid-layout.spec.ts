import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { layoutGrid, moveSquare, positionOf, squareAt } from './grid-layout.js';

const layouts = fc
  .record({ count: fc.integer({ min: 1, max: 200_000 }), width: fc.integer({ min: 1, max: 2000 }) })
  .map(({ count, width }) => layoutGrid(count, width));

it('the square at the position of a square is that square', () => {
  fc.assert(
    fc.property(layouts, fc.nat(), (layout, number) => {
      const square = number % layout.count;
      const { x, y } = positionOf(layout, square);
      expect(squareAt(layout, x, y)).toBe(square);
      expect(squareAt(layout, x + layout.pitch - 1, y + layout.pitch - 1)).toBe(square);
    }),
  );
});

it('no square is outside of the width, and all have a row', () => {
  const layout = layoutGrid(100_000, 560);
  expect(layout).toEqual({ count: 100_000, columns: 140, rows: 715, pitch: 4, gap: 1 });
  expect(squareAt(layout, 560, 0)).toBeUndefined();
  expect(squareAt(layout, 559, 714 * 4)).toBeUndefined();
});

it('keys never lead out of the grid', () => {
  const keys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'];
  fc.assert(
    fc.property(layouts, fc.array(fc.constantFrom(...keys)), (layout, pressed) => {
      const square = pressed.reduce((from, key) => moveSquare(layout, from, key) ?? from, 0);
      expect(square).toBeGreaterThanOrEqual(0);
      expect(square).toBeLessThan(layout.count);
    }),
  );
  expect(moveSquare(layoutGrid(10, 100), 3, 'a')).toBeUndefined();
});
