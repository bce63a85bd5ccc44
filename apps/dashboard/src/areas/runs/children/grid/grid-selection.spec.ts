import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { layoutGrid, positionOf } from './grid-layout.js';
import { firstOf, includes, lastOf, outlineRange, sizeOf } from './grid-selection.js';

it('the outline of a range covers its squares and no others', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 20, max: 300 }),
      fc.nat(),
      fc.nat(),
      (count, width, a, b) => {
        const layout = layoutGrid(count, width);
        const range = { anchor: a % count, end: b % count };
        const rectangles = outlineRange(layout, range);
        for (let square = 0; square < count; square++) {
          const { x, y } = positionOf(layout, square);
          const covering = rectangles.filter(
            ({ left, top, width: w, height }) => x >= left && x < left + w && y >= top && y < top + height,
          );
          expect(covering.length).toBe(includes(range, square) ? 1 : 0);
        }
        expect(sizeOf(range)).toBe(lastOf(range) - firstOf(range) + 1);
      },
    ),
  );
});
