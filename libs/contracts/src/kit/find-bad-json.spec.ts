import { describe, expect, it } from '@jest/globals';
import { findBadJson, MAX_DEPTH } from './find-bad-json.js';

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

describe('findBadJson', () => {
  it.each([null, 1, 'text 😀', { a: [1, { b: '' }] }, nested(MAX_DEPTH)])('accepts %j', (value) => {
    expect(findBadJson(value)).toBeNull();
  });

  it.each([
    ['a NUL character', { deep: ['a\0'] }, /NUL/],
    ['half of a surrogate pair', ['\ud800'], /surrogate/],
    ['half of a surrogate pair in a key', { 'a\udc00': 1 }, /surrogate/],
    ['a number that parses as infinity', JSON.parse('{"a":1e400}'), /out of range/],
    ['very deep nesting', nested(200_000), /levels/],
  ])('rejects %s', (_title, value, problem) => {
    expect(findBadJson(value)).toMatch(problem);
  });
});
