import { describe, expect, it } from '@jest/globals';
import { spread } from './test-sequencer.mjs';

describe('the order of test suites', () => {
  it('mixes two kinds in proportion to their numbers and keeps the order of each', () => {
    expect(spread(['a', 'b'], [1, 2, 3, 4, 5, 6])).toEqual([1, 'a', 2, 3, 4, 'b', 5, 6]);
  });

  it('contains the suites of one kind if there are none of the other', () => {
    expect(spread([], [1, 2])).toEqual([1, 2]);
    expect(spread(['a'], [])).toEqual(['a']);
  });
});
