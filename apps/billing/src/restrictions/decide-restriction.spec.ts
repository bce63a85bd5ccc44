import { describe, expect, it } from '@jest/globals';
import { decideRestriction } from './decide-restriction.js';

const none = { monthlyCredits: null, usageLimit: null };

describe('a vault', () => {
  it('without limits may always start runs', () => {
    expect(decideRestriction({ units: 1e15, ...none })).toBeNull();
  });

  it('may until its credits are used up, of which each is 60 units', () => {
    expect(decideRestriction({ units: 5_999, ...none, monthlyCredits: 100 })).toBeNull();
    expect(decideRestriction({ units: 6_000, ...none, monthlyCredits: 100 })).toBe('credits');
  });

  it('may until its own limit is reached, and never with one of nothing', () => {
    expect(decideRestriction({ units: 9, ...none, usageLimit: 10 })).toBeNull();
    expect(decideRestriction({ units: 10, ...none, usageLimit: 10 })).toBe('budget');
    expect(decideRestriction({ units: 0, ...none, usageLimit: 0 })).toBe('budget');
  });

  it('is told of its own limit where both are reached', () => {
    expect(decideRestriction({ units: 6_000, monthlyCredits: 100, usageLimit: 6_000 })).toBe('budget');
  });
});
