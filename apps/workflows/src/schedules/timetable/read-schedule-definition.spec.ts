import { describe, expect, it } from '@jest/globals';
import { setSchedule } from '@millrace/contracts/workflows/schedules';
import { readScheduleDefinition } from './read-schedule-definition.js';

const read = (body: object) => readScheduleDefinition(setSchedule.body.parse(body));

function problemsOf(body: object): Record<string, unknown> {
  try {
    read(body);
  } catch (error) {
    return (error as { details: Record<string, unknown> }).details;
  }
  throw new Error('It was taken');
}

describe('the definition of a schedule', () => {
  it.each(['* * * * *', '*/10 * * * * *', '0,30 0 * * * *', '0 9 * * MON-FRI', '0 0 L * *', '  5   4 * * 7 '])(
    'takes %p',
    (cron) => {
      expect(read({ cron })).toMatchObject({ cron, timezone: null, repeatPeriod: null, enabled: true });
    },
  );

  it.each([
    ['*', 'it has 1'],
    ['@daily', 'it has 1'],
    ['* * * * * * *', 'it has 7'],
    ['2026-01-01T00:00:00', 'it has 1'],
    ['60 * * * *', 'Invalid value for minute'],
    ['a b c d e', 'cannot be read'],
    ['*/0 * * * *', 'cannot be read'],
    ['* * * * * *', 'more often than every 10 seconds'],
    ['0,55 * * * * *', 'more often than every 10 seconds'],
    ['5-9 0 0 * * *', 'more often than every 10 seconds'],
  ])('refuses %p and says why', (cron, why) => {
    expect(problemsOf({ cron })).toEqual({ 'body.cron': expect.stringContaining(why) });
  });

  it('wants cron or a period, and not both', () => {
    for (const body of [{}, { cron: '* * * * *', repeat_period: 5 }]) {
      expect(problemsOf(body)).toEqual({ 'body.cron': expect.stringContaining('either') });
    }
    expect(read({ repeat_period: 0 })).toMatchObject({ cron: null, repeatPeriod: 0 });
  });

  it.each(['Europe/Berlin', 'UTC', 'Asia/Calcutta', 'Europe/Kiev'])('takes the zone %p', (timezone) => {
    expect(read({ cron: '* * * * *', timezone })).toMatchObject({ timezone });
  });

  it('refuses what is no zone, and says which may be meant', () => {
    const zone = (timezone: string) => problemsOf({ cron: '* * * * *', timezone })['body.timezone'];
    expect(zone('Europe/Berln')).toContain('Did you mean "Europe/Berlin"?');
    for (const timezone of ['+02:00', 'Mars', 'x y']) expect(zone(timezone)).toContain('is not a time zone');
  });

  it('refuses dates that an offset carries out of the years', () => {
    for (const start_date of ['9999-12-31T23:59:59-23:00', '0001-01-01T00:00:00+23:00']) {
      expect(problemsOf({ repeat_period: 5, start_date })).toEqual({ 'body.start_date': expect.any(String) });
    }
  });
});
