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
    'accepts the cron expression %p',
    (cron) => {
      expect(read({ cron })).toMatchObject({ cron, timezone: null, repeatPeriod: null, enabled: true });
    },
  );

  it.each([
    ['*', '(got 1)'],
    ['@daily', '(got 1)'],
    ['* * * * * * *', '(got 7)'],
    ['2026-01-01T00:00:00', '(got 1)'],
    ['60 * * * *', 'Invalid value for minute'],
    ['a b c d e', 'is not a valid cron expression'],
    ['*/0 * * * *', 'is not a valid cron expression'],
    ['* * * * * *', 'at least 10 seconds between two runs'],
    ['0,55 * * * * *', 'at least 10 seconds between two runs'],
    ['5-9 0 0 * * *', 'at least 10 seconds between two runs'],
  ])('refuses the cron expression %p with the reason', (cron, why) => {
    expect(problemsOf({ cron })).toEqual({ 'body.cron': expect.stringContaining(why) });
  });

  it('requires cron or a period, and not both', () => {
    expect(problemsOf({})).toEqual({ 'body.cron': '`cron` or `repeat_period` must be set (got neither).' });
    expect(problemsOf({ cron: '* * * * *', repeat_period: 5 })).toEqual({
      'body.cron': 'Only one of `cron` and `repeat_period` may be set (got both).',
    });
    expect(read({ repeat_period: 0 })).toMatchObject({ cron: null, repeatPeriod: 0 });
  });

  it.each(['Europe/Berlin', 'UTC', 'Asia/Calcutta', 'Europe/Kiev'])('accepts the time zone %p', (timezone) => {
    expect(read({ cron: '* * * * *', timezone })).toMatchObject({ timezone });
  });

  it('refuses an unknown time zone, and suggests a similar one', () => {
    const zone = (timezone: string) => problemsOf({ cron: '* * * * *', timezone })['body.timezone'];
    expect(zone('Europe/Berln')).toContain('Did you mean "Europe/Berlin"?');
    for (const timezone of ['+02:00', 'Mars', 'x y']) expect(zone(timezone)).toContain('is not a time zone');
  });

  it('refuses dates that are outside the years 1 to 9999 in UTC', () => {
    for (const start_date of ['9999-12-31T23:59:59-23:00', '0001-01-01T00:00:00+23:00']) {
      expect(problemsOf({ repeat_period: 5, start_date })).toEqual({ 'body.start_date': expect.any(String) });
    }
  });
});
