import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { firstTick, MAX_RECORDED_MISSES, ticksUntil, type Timetable } from './timetable.js';

const NOTHING: Timetable = { cron: null, timezone: null, repeatPeriod: null, startDate: null };
const MINUTE = 60_000;
const at = (text: string) => new Date(`${text}Z`);
const text = (moment: Date | null) => moment?.toISOString().slice(0, 19);

/** Consecutive ticks of a schedule without an outage. */
function chain(timetable: Timetable, from: Date, to: Date): Date[] {
  const moments: Date[] = [];
  for (let next = firstTick(timetable, from); next && next <= to; next = ticksUntil(timetable, next, next).next) {
    moments.push(next);
  }
  return moments;
}

const local = (zone: string, expression: string, day: string) => {
  const from = at(`${day}T00:00:00`);
  const to = new Date(from.getTime() + 36 * 60 * MINUTE);
  return chain({ ...NOTHING, cron: expression, timezone: zone }, from, to).map((moment) => text(moment)?.slice(5, 16));
};

describe('cron when clocks change', () => {
  it('runs at the end of the gap for skipped times, once for all of them', () => {
    expect(local('America/New_York', '30 2 * * *', '2026-03-08')).toEqual(['03-08T07:00', '03-09T06:30']);
    expect(local('America/New_York', '0,15,30 2 * * *', '2026-03-08').slice(0, 2)).toEqual([
      '03-08T07:00',
      '03-09T06:00',
    ]);
    expect(local('America/Sao_Paulo', '0 0 * * *', '2018-11-04')).toEqual(['11-04T03:00', '11-05T02:00']);
  });

  it('runs the first time for a time that occurs twice', () => {
    expect(local('America/New_York', '30 1 * * *', '2026-11-01')).toEqual(['11-01T05:30', '11-02T06:30']);
    expect(local('America/New_York', '0,30 1 * * *', '2026-11-01').slice(0, 3)).toEqual([
      '11-01T05:00',
      '11-01T05:30',
      '11-02T06:00',
    ]);
  });

  it('follows elapsed time if it has a wildcard or a step', () => {
    const hourly = local('America/New_York', '0 * * * *', '2026-11-01');
    expect(hourly.slice(4, 9)).toEqual(['11-01T05:00', '11-01T06:00', '11-01T07:00', '11-01T08:00', '11-01T09:00']);
  });
});

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'America/St_Johns',
  'America/Havana',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Asia/Tehran',
  'Asia/Beirut',
  'Pacific/Chatham',
  'Asia/Kolkata',
  'UTC',
];

/** Wall-clock time as if it were UTC, in minutes. */
function wallClock(zone: string): (moment: number) => number {
  const format = new Intl.DateTimeFormat('en', {
    ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit' },
    ...{ day: '2-digit', hour: '2-digit', minute: '2-digit' },
  } as const);
  return (moment) => {
    const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute) / MINUTE;
  };
}

/** The days of a year on which clocks change. */
function findChanges(zone: string, year: number): number[] {
  const wall = wallClock(zone);
  const offset = (moment: number) => wall(moment) - moment / MINUTE;
  const days = Array.from({ length: 365 }, (_, day) => Date.UTC(year, 0, 1 + day));
  return days.filter((day) => offset(day) !== offset(day + 24 * 60 * MINUTE));
}

/** Steps minute by minute: each wall-clock time once, a skipped time at the end of its gap. */
function expectFixed(zone: string, hours: number[], minutes: number[], from: number, to: number): number[] {
  const wall = wallClock(zone);
  const matches = (shown: number) => hours.includes(Math.floor(shown / 60) % 24) && minutes.includes(shown % 60);
  const seen = new Set<number>();
  const expected: number[] = [];
  let before = wall(from - 4 * 60 * MINUTE - MINUTE);
  for (let moment = from - 4 * 60 * MINUTE; moment <= to; moment += MINUTE) {
    const shown = wall(moment);
    const leftOut = Array.from({ length: Math.max(0, shown - before - 1) }, (_, n) => before + 1 + n);
    const comes = leftOut.some(matches) || (matches(shown) && !seen.has(shown));
    seen.add(shown);
    if (comes && moment > from) expected.push(moment);
    before = shown;
  }
  return expected;
}

const someTimes = (max: number) => fc.uniqueArray(fc.integer({ min: 0, max }), { minLength: 1, maxLength: 4 });
const somewhere = fc.record({ zone: fc.constantFrom(...ZONES), year: fc.integer({ min: 1995, max: 2036 }) });

describe('cron in any zone and year', () => {
  it('runs at each wall-clock time exactly once, and at the end of the gap for a skipped time', () => {
    fc.assert(
      fc.property(somewhere, someTimes(4), someTimes(59), ({ zone, year }, hours, minutes) => {
        const expression = `${minutes.join(',')} ${hours.join(',')} * * *`;
        for (const change of findChanges(zone, year)) {
          const [from, to] = [change - 12 * 60 * MINUTE, change + 36 * 60 * MINUTE];
          const found = chain({ ...NOTHING, cron: expression, timezone: zone }, new Date(from), new Date(to));
          expect(found.map(Number)).toEqual(expectFixed(zone, hours, minutes, from, to));
        }
      }),
      { numRuns: 6 },
    );
  });

  it('is due after an outage for all missed times, newest first', () => {
    const expressions = fc.constantFrom(
      '*/7 * * * *',
      '0 * * * *',
      '30 1,2 * * *',
      '0 0 * * 1',
      '15,45 */3 * * *',
      '0 2 31 * *',
    );
    const outage = fc.integer({ min: 0, max: 6 * 24 * 60 });
    fc.assert(
      fc.property(
        somewhere,
        expressions,
        fc.integer({ min: 0, max: 364 }),
        outage,
        ({ zone, year }, cron, day, minutes) => {
          const timetable = { ...NOTHING, cron, timezone: zone };
          const next = firstTick(timetable, new Date(Date.UTC(year, 0, 1 + day))) as Date;
          const now = new Date(next.getTime() + minutes * MINUTE + 1);
          const all = chain(timetable, new Date(next.getTime() - 1), now).reverse();
          const found = ticksUntil(timetable, next, now);
          expect([found.due, ...found.missed].map(text)).toEqual(all.slice(0, MAX_RECORDED_MISSES + 1).map(text));
          expect(found.earlier).toBe(Math.min(1_000, Math.max(0, all.length - MAX_RECORDED_MISSES - 1)));
          expect(found.next?.getTime()).toBeGreaterThan(now.getTime());
          expect(chain(timetable, now, found.next as Date)).toEqual([found.next]);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a schedule with a period', () => {
  const period = (repeatPeriod: number, startDate: Date | null = null): Timetable => ({
    ...NOTHING,
    repeatPeriod,
    startDate,
  });

  it('counts from the start date, or from when it is set, and does not drift', () => {
    const now = at('2026-01-01T10:07:30');
    expect(text(firstTick(period(15, at('2026-01-01T09:00:00')), now))).toBe('2026-01-01T10:15:00');
    expect(text(firstTick(period(15), now))).toBe('2026-01-01T10:22:30');
    const late = ticksUntil(period(15), at('2026-01-01T10:15:00'), at('2026-01-01T10:15:09'));
    expect(late).toEqual({ due: at('2026-01-01T10:15:00'), missed: [], earlier: 0, next: at('2026-01-01T10:30:00') });
  });

  it('is not due before its start date', () => {
    const start = at('2030-05-05T00:00:00');
    for (const timetable of [period(5, start), period(0, start)])
      expect(firstTick(timetable, at('2026-01-01T00:00:00'))).toEqual(start);
    const cron = { ...NOTHING, cron: '0 0 * * *', startDate: start };
    expect(firstTick(cron, at('2026-01-01T00:00:00'))).toEqual(start);
  });

  it('of 0 is due at once, and then not by the clock', () => {
    const now = at('2026-01-01T10:07:30');
    expect(firstTick(period(0), now)).toEqual(now);
    expect(ticksUntil(period(0), now, at('2026-01-01T11:00:00'))).toEqual({
      due: now,
      missed: [],
      earlier: 0,
      next: null,
    });
  });

  it('is due once after an outage, and lists missed times up to the limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 0, max: 2_000_000 }), (minutes, outage) => {
        const next = at('2026-01-01T00:00:00');
        const now = new Date(next.getTime() + outage * 1_000);
        const { due, missed, earlier, next: after } = ticksUntil(period(minutes), next, now);
        const moments = [after as Date, due, ...missed];
        for (const [n, moment] of moments.slice(1).entries()) {
          expect(Number(moments[n]) - moment.getTime()).toBe(minutes * MINUTE);
        }
        expect(due <= now && (after as Date) > now).toBe(true);
        expect(1 + missed.length + earlier).toBe(1 + Math.floor((outage * 1_000) / (minutes * MINUTE)));
        expect(missed.length).toBeLessThanOrEqual(MAX_RECORDED_MISSES);
      }),
    );
  });
});

it('a schedule is never due after the year 9999', () => {
  expect(
    firstTick({ ...NOTHING, cron: '0 0 1 1 *', startDate: at('9999-12-31T00:00:00') }, at('2026-01-01T00:00:00')),
  ).toBeNull();
  expect(
    ticksUntil({ ...NOTHING, repeatPeriod: 527_040 }, at('9999-12-31T00:00:00'), at('9999-12-31T00:00:01')).next,
  ).toBeNull();
});
