import { describe, expect, it } from '@jest/globals';
import type { FinishedReport, Report } from '@millrace/contracts/runs/report';
import { correctTimes } from './correct-times.js';

const HOUR = 3_600_000;
const lifetime = { dispatchedAt: 10_000, now: 20_000 };
const subject = { dispatch: '1', task: 0, attempt: 1, step: 0 };
const started = (at: number): Report => ({ type: 'started', ...subject, at });
const finished = (startedAt: number, at: number) => ({ type: 'finished', ...subject, startedAt, at }) as FinishedReport;

describe('the times of a report', () => {
  it('stay as they are if they are within the time of the dispatch', () => {
    for (const report of [started(10_000), started(20_000), finished(10_000, 20_000), finished(12_000, 12_000)]) {
      expect(correctTimes(report, lifetime)).toBe(report);
    }
  });

  it.each([HOUR, -HOUR])('are moved if the clock of the worker differs by %i ms, and the duration stays', (shift) => {
    expect(correctTimes(started(15_000 + shift), lifetime)).toMatchObject({ at: 20_000 });
    expect(correctTimes(finished(14_000 + shift, 19_000 + shift), lifetime)).toMatchObject({
      ...{ startedAt: 15_000, at: 20_000 },
    });
  });

  it('never begin before the dispatch, nor end before they begin', () => {
    expect(correctTimes(finished(HOUR, 2 * HOUR), lifetime)).toMatchObject({ startedAt: 10_000, at: 20_000 });
    expect(correctTimes(finished(15_000, 14_000), lifetime)).toMatchObject({ startedAt: 20_000, at: 20_000 });
  });
});
