import { expect, it } from '@jest/globals';
import { matchWords } from './match-words.js';

it('a text matches if it contains every typed word, in any order and case', () => {
  expect(matchWords('Go to Workflows', 'work GO')).toBeGreaterThan(0);
  expect(matchWords('Go to Workflows', 'work stop')).toBe(0);
  expect(matchWords('Go to Workflows', '')).toBe(1);
});

it('the beginning of a text counts more than that of a word, and that more than the inside of one', () => {
  const scores = ['runs of today', 'all runs', 'pruning'].map((text) => matchWords(text, 'run'));
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  expect(new Set(scores).size).toBe(3);
});
