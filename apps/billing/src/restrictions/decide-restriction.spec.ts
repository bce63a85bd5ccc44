import { describe, expect, it } from '@jest/globals';
import { decideRestriction } from './decide-restriction.js';

const NO_LIMITS = { monthlyCredits: null, usageLimit: null };

describe('a vault', () => {
  it('without limits is never restricted', () => {
    expect(decideRestriction({ units: 1e15, ...NO_LIMITS })).toBeNull();
  });

  it('is restricted when its credits are used up, with 60 units per credit', () => {
    expect(decideRestriction({ units: 5_999, ...NO_LIMITS, monthlyCredits: 100 })).toBeNull();
    expect(decideRestriction({ units: 6_000, ...NO_LIMITS, monthlyCredits: 100 })).toBe('credits');
  });

  it('is restricted when it reaches its usage limit, even a limit of 0', () => {
    expect(decideRestriction({ units: 9, ...NO_LIMITS, usageLimit: 10 })).toBeNull();
    expect(decideRestriction({ units: 10, ...NO_LIMITS, usageLimit: 10 })).toBe('budget');
    expect(decideRestriction({ units: 0, ...NO_LIMITS, usageLimit: 0 })).toBe('budget');
  });

  it('has the reason budget if it has reached both limits', () => {
    expect(decideRestriction({ units: 6_000, monthlyCredits: 100, usageLimit: 6_000 })).toBe('budget');
  });
});
