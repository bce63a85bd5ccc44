import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chooseSpan, SPANS, writeGroup } from './plan-chart.js';

it('a time is divided into at most 240 bars, and never into needlessly few', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 * 31_557_600 }), (seconds) => {
      const span = chooseSpan(new Date(0), new Date(seconds * 1000));
      const index = SPANS.findIndex(({ value }) => value === span);
      expect(seconds / (SPANS[index]?.seconds ?? 0)).toBeLessThanOrEqual(240);
      const shorter = SPANS[index - 1];
      if (shorter) expect(seconds / shorter.seconds).toBeGreaterThan(240);
    }),
  );
});

it('writeGroup quotes the column', () => {
  expect(writeGroup('odd name', '1d')).toBe('`odd name`:1d');
  expect(writeGroup('port', '')).toBe('port');
});
