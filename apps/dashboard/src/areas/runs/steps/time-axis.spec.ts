import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { axisOf, barOf } from './time-axis.js';

const at = (ms: number) => new Date(ms).toISOString();

it('a bar has the place of its step between start and end of the run', () => {
  const axis = axisOf({ created_date: at(0), started_date: at(1000), completed_date: at(11_000) }, 99_000);
  expect(barOf({ status: 'RUNNING', started_at: at(3000), finished_at: at(8000) }, axis)).toEqual({
    left: 20,
    width: 50,
  });
});

it('the bar of a running step reaches to the present', () => {
  const axis = axisOf({ created_date: at(0), started_date: at(0) }, 10_000);
  expect(barOf({ status: 'RUNNING', started_at: at(7500) }, axis)).toEqual({ left: 75, width: 25 });
});

it('a step that has not started has no bar', () => {
  expect(barOf({ status: 'RUNNING' }, { start: 0, end: 1 })).toBeUndefined();
});

it('every bar is inside of the axis and can be seen', () => {
  const time = fc.integer({ min: 0, max: 4_000_000_000_000 });
  fc.assert(
    fc.property(time, time, time, time, (start, length, started, took) => {
      const axis = { start, end: start + length + 1 };
      const finished = Math.min(started + took, 4_000_000_000_000);
      const bar = barOf({ status: 'RUNNING', started_at: at(started), finished_at: at(finished) }, axis);
      expect(bar?.left).toBeGreaterThanOrEqual(0);
      expect(bar?.width).toBeGreaterThan(0);
      expect((bar?.left ?? 0) + (bar?.width ?? 0)).toBeLessThanOrEqual(100.000001);
    }),
  );
});

it('a step that waits for its next attempt has no bar', () => {
  expect(barOf({ status: 'PENDING', started_at: at(1000) }, { start: 0, end: 9000 })).toBeUndefined();
});
