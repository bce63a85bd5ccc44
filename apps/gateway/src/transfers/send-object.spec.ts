import { describe, expect, it } from '@jest/globals';
import { matches, readRange } from './send-object.js';

describe('a tag', () => {
  it.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['*', true],
    ['"b"', false],
    [undefined, false],
  ])('of a client, %j, matches: %j', (header, expected) => {
    expect(matches(header, '"a"')).toBe(expected);
  });
});

describe('a range of ten bytes', () => {
  it.each([
    ['bytes=0-3', { start: 0, end: 3 }],
    ['bytes=4-', { start: 4, end: 9 }],
    ['bytes=-2', { start: 8, end: 9 }],
    ['bytes=-50', { start: 0, end: 9 }],
    ['bytes=5-500', { start: 5, end: 9 }],
    [undefined, null],
    ['bytes=-', null],
    ['bytes=5-2', null],
    ['bytes=0-1,3-4', null],
    ['lines=0-3', null],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
  ])('%j is %j', (header, range) => {
    expect(readRange(header, 10)).toEqual(range);
  });

  it('of nothing cannot be', () => {
    expect(readRange('bytes=0-0', 0)).toBe('unsatisfiable');
  });
});
