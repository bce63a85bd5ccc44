import { expect, it } from '@jest/globals';
import { compareWithMedian, medianOf, paceOf, progressOf } from './run-progress.js';

const insights = { total: 10, pending: 4, running: 1, succeeded: 3, failed: 1, stopping: 0, stopped: 0, skipped: 1 };

it('what has ended in any way is done', () => {
  expect(progressOf(insights)).toEqual({ done: 5, total: 10, share: 0.5 });
  expect(progressOf({ ...insights, total: 0, pending: 0, running: 0 }).share).toBe(0);
});

it('the remaining time follows from the rate so far', () => {
  expect(paceOf({ done: 5, total: 10, share: 0.5 }, 10_000)).toEqual({ rate: 0.5, remainingMs: 10_000 });
});

it('there is no rate until three have ended, and none at the end', () => {
  expect(paceOf({ done: 2, total: 10, share: 0.2 }, 1000)).toBeUndefined();
  expect(paceOf({ done: 10, total: 10, share: 1 }, 1000)).toBeUndefined();
});

it.each([
  [[], undefined],
  [[5], 5],
  [[9, 1, 5], 5],
  [[1, 10, 4, 2], 3],
])('the median of %j is %s', (values, expected) => {
  expect(medianOf(values)).toBe(expected);
});

it.each([
  [1000, 1000, 'as usual'],
  [1800, 1000, '1.8 × the median'],
  [50_000, 1000, '50 × the median'],
  [100, 1000, '0.1 × the median'],
])('%s ms against a median of %s ms is %s', (duration, median, expected) => {
  expect(compareWithMedian(duration, median)).toBe(expected);
});
