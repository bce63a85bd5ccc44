import { describe, expect, it } from '@jest/globals';
import type { Subjob } from '@millrace/client';
import { changeSteps, changeSubjob } from './apply-change.js';

const step = (fields: Partial<Subjob> = {}): Subjob => ({
  id: '7',
  run: '1',
  node: 'scan-1',
  label: 'scan',
  status: 'PENDING',
  attempt: 1,
  max_attempts: 1,
  params: {},
  outputs_status: 'NONE',
  cached: false,
  execution_units: 0,
  ...fields,
});

const change = (status: Subjob['status'], second: number) => ({
  ...{ subject: '7', node: 'scan-1', status },
  at: `2026-11-24T10:00:${String(second).padStart(2, '0')}.000Z`,
});

describe('changeSubjob', () => {
  it('a subjob gets its times and its duration from its changes', () => {
    const ended = changeSubjob(changeSubjob(step(), change('RUNNING', 1)), change('SUCCEEDED', 4));
    expect(ended).toMatchObject({ status: 'SUCCEEDED', started_at: change('RUNNING', 1).at, duration_ms: 3000 });
  });

  it('a change that is older than what the subjob shows changes nothing', () => {
    const ended = step({ status: 'FAILED', started_at: change('RUNNING', 1).at, finished_at: change('FAILED', 9).at });
    expect(changeSubjob(ended, change('RUNNING', 1))).toBe(ended);
  });

  it('a repetition removes the former end', () => {
    const ended = step({ status: 'FAILED', finished_at: change('FAILED', 2).at, duration_ms: 2 });
    expect(changeSubjob(ended, change('RUNNING', 5))).not.toHaveProperty('finished_at');
  });
});

it('steps without a change stay the same objects', () => {
  const steps = [step(), step({ id: '8' })];
  const next = changeSteps(steps, new Map([['8', { ...change('RUNNING', 1), subject: '8' }]]));
  expect(next[0]).toBe(steps[0]);
  expect(next[1]?.status).toBe('RUNNING');
  expect(changeSteps(steps, new Map([['99', change('RUNNING', 1)]]))).toBe(steps);
});
