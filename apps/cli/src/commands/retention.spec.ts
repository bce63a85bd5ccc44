import { describe, expect, it } from '@jest/globals';
import { describePolicy, refuseContradictions } from './retention.js';

describe('describePolicy', () => {
  it.each([
    [{ days: null, runs: null, source: 'default' }, 'Runs are kept for ever (default).'],
    [{ days: 1, runs: null, source: 'vault' }, 'Runs are deleted 1 day after their end (set for the vault).'],
    [
      { days: null, runs: 50, source: 'vault' },
      'Only the newest 50 runs of each workflow are kept (set for the vault).',
    ],
    [
      { days: 30, runs: 1, source: 'space' },
      'Runs are deleted 30 days after their end, and only the newest 1 run of each workflow is kept (set for the space).',
    ],
  ] as const)('describes %j', (policy, text) => {
    expect(describePolicy(policy)).toBe(text);
  });
});

describe('refuseContradictions', () => {
  it.each([
    [['days', 'no-days'], {}, '--days or --no-days'],
    [['runs', 'days', 'no-runs'], {}, '--runs or --no-runs'],
    [[], { inherit: true }, '--space'],
    [['no-days'], { inherit: true, space: 's' }, 'without limits'],
  ])('refuses %j with %j', (flags, options, message) => {
    expect(() => refuseContradictions(new Set(flags), options)).toThrow(message);
  });

  it('accepts limits that do not contradict each other', () => {
    expect(() => refuseContradictions(new Set(['days', 'no-runs']), { space: 's' })).not.toThrow();
    expect(() => refuseContradictions(new Set(), { space: 's', inherit: true })).not.toThrow();
  });
});
