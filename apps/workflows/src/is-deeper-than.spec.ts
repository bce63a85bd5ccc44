import { describe, expect, it } from '@jest/globals';
import { isDeeperThan } from './is-deeper-than.js';

const nested = (depth: number): unknown => JSON.parse('{"a":['.repeat(depth / 2) + ']}'.repeat(depth / 2));

describe('the depth of a value', () => {
  it.each([
    ['text', 0, false],
    [{}, 1, false],
    [[[]], 1, true],
    [nested(500), 500, false],
    [nested(502), 501, true],
  ])('is counted in lists and objects', (value, limit, expected) => {
    expect(isDeeperThan(value, limit)).toBe(expected);
  });

  it('is found for values that no recursion could go through', () => {
    expect(isDeeperThan(nested(200_000), 500)).toBe(true);
  });
});
