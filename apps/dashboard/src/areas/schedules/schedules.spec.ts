import { describe, expect, it } from '@jest/globals';
import type { Schedule } from '@millrace/client';
import { describeCron, describeSchedule } from './describe-schedule.js';
import { listInputs } from './edit/list-inputs.js';
import { listCronTicks, listPeriodTicks } from './edit/list-next-ticks.js';
import { toBody, toForm, withEnabled } from './edit/schedule-form.js';
import { readSchedulesSearch } from './search.js';

const schedule = (part: Partial<Schedule>): Schedule => ({ author: 'u', enabled: true, next_date: null, ...part });

describe('describeCron', () => {
  it.each([
    ['* * * * *', 'Every minute'],
    ['*/15 * * * *', 'Every 15 minutes'],
    ['5 * * * *', 'Every hour at 5 past'],
    ['0 */6 * * *', 'Every 6 hours'],
    ['0 3 * * *', 'Every day at 03:00'],
    ['30 9 * * 1-5', 'Monday to Friday at 09:30'],
    ['0 9 * * MON', 'Every Monday at 09:00'],
    ['0 9 * * 7', 'Every Sunday at 09:00'],
    ['0 0 1 * *', 'On day 1 of every month at 00:00'],
  ])('%s is "%s"', (cron, words) => {
    expect(describeCron(cron)).toBe(words);
  });

  it.each(['*/7 * * * *', '0 */5 * * *', '0 0 1 1 *', '0 0 13 * 5', '0 9,17 * * *', '*/10 * * * * *', 'nonsense'])(
    '%s has no words that are exact',
    (cron) => {
      expect(describeCron(cron)).toBeUndefined();
    },
  );

  it('periods have words, and cron expressions keep their time zone', () => {
    expect(describeSchedule(schedule({ repeat_period: 0 }))).toEqual({ words: 'Again as soon as a run has ended' });
    expect(describeSchedule(schedule({ repeat_period: 90 }))).toEqual({ words: 'Every 90 minutes' });
    expect(describeSchedule(schedule({ repeat_period: 1_440 }))).toEqual({ words: 'Every day' });
    expect(describeSchedule(schedule({ cron: '0 9,17 * * *', timezone: 'Asia/Tokyo' }))).toEqual({
      words: '0 9,17 * * *',
      detail: 'Asia/Tokyo',
    });
  });
});

describe('next ticks', () => {
  const now = new Date('2026-11-26T12:00:00Z');
  const texts = (ticks: Date[]) => ticks.map((tick) => tick.toISOString());

  it('of a cron expression are in its time zone', () => {
    const result = listCronTicks({ cron: '0 3 * * *', timezone: 'Europe/Berlin' }, undefined, now);
    expect('ticks' in result && texts(result.ticks).slice(0, 2)).toEqual([
      '2026-11-27T02:00:00.000Z',
      '2026-11-28T02:00:00.000Z',
    ]);
  });

  it('do not precede the start, which may be the first', () => {
    const start = new Date('2026-12-01T03:00:00Z');
    const result = listCronTicks({ cron: '0 3 * * *', timezone: 'UTC' }, start, now);
    expect('ticks' in result && texts(result.ticks)[0]).toBe('2026-12-01T03:00:00.000Z');
    expect(texts(listPeriodTicks(60, start, now))[0]).toBe('2026-12-01T03:00:00.000Z');
  });

  it('of a period count from the start', () => {
    const start = new Date('2026-11-26T11:45:00Z');
    expect(texts(listPeriodTicks(30, start, now))[0]).toBe('2026-11-26T12:15:00.000Z');
    expect(texts(listPeriodTicks(30, undefined, now))[0]).toBe('2026-11-26T12:30:00.000Z');
  });

  it('of a wrong expression are its problem', () => {
    expect(listCronTicks({ cron: '61 * * * *', timezone: 'UTC' }, undefined, now)).toHaveProperty('problem');
    expect(listCronTicks({ cron: '* * * * *', timezone: 'Mars/North' }, undefined, now)).toHaveProperty('problem');
  });
});

describe('the form', () => {
  it('gives back the schedule it was made of', () => {
    const stored = schedule({
      cron: '0 3 * * *',
      timezone: 'Europe/Berlin',
      start_date: '2026-12-01T03:00:00.000Z',
      parallelism: 4,
      inputs: { hosts: 'a', deep: true },
      enabled: false,
    });
    const { author: _, next_date: __, ...body } = stored;
    expect(toBody(toForm(stored, 'UTC'))).toEqual(body);
    expect(withEnabled(stored, true)).toEqual({ ...body, enabled: true });
    expect(toBody(toForm(schedule({ repeat_period: 0 }), 'UTC'))).toEqual({ repeat_period: 0, enabled: true });
  });

  it('has no masked values, because the text that replaces them is not the value', () => {
    const stored = schedule({ repeat_period: 60, inputs: { key: '***', hosts: 'a' }, masked: ['key'] });
    expect(toForm(stored, 'UTC').inputs).toEqual({ hosts: 'a' });
  });
});

it('listInputs names inputs by their label, else by their id', () => {
  const primitiveNodes = {
    a: { type: 'STRING', label: 'least', value: '1' },
    b: { type: 'FILE' },
    c: { type: 'X' },
    d: 7,
  };
  expect(listInputs({ primitiveNodes })).toEqual([
    { key: 'least', type: 'STRING', value: '1' },
    { key: 'b', type: 'FILE' },
  ]);
  expect(listInputs({})).toEqual([]);
});

it('the address keeps known fields', () => {
  const search = { q: 'a', state: 'paused', workflow: '1', edit: '2' };
  expect(readSchedulesSearch(search)).toEqual(search);
  expect(readSchedulesSearch({ q: '', state: 'x', workflow: '', edit: '' })).toEqual({});
});
