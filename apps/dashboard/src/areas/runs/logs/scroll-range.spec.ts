import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { lineAt, LINE_HEIGHT, MAX_HEIGHT, rangeOf, scrollTopOf } from './scroll-range.js';

it('a short log scrolls by its own height', () => {
  const range = rangeOf(1000, 180);
  expect(range).toMatchObject({ height: 18_000, isScaled: false, lastTop: 990 });
  expect(lineAt(36, range)).toBeCloseTo(2);
});

it('a log that fits does not scroll', () => {
  expect(lineAt(50, rangeOf(3, 180))).toBe(0);
});

it('the scrollbar reaches the first and the last line of any log', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50_000_000 }), fc.integer({ min: 50, max: 2000 }), (lines, height) => {
      const range = rangeOf(lines, height);
      expect(range.height).toBeLessThanOrEqual(MAX_HEIGHT);
      expect(lineAt(0, range)).toBe(0);
      expect(lineAt(range.height - height, range)).toBeCloseTo(Math.max(0, lines - height / LINE_HEIGHT), 3);
      const line = range.lastTop / 3;
      expect(lineAt(scrollTopOf(line, range), range)).toBeCloseTo(line, 3);
    }),
  );
});
