import { describe, expect, it } from '@jest/globals';
import { matchesEtag, readRange } from './send-object.js';

describe('If-None-Match', () => {
  it.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['*', true],
    ['"b"', false],
    [undefined, false],
  ])('with %j matches the tag "a": %j', (header, expected) => {
    expect(matchesEtag(header, '"a"')).toBe(expected);
  });
});

describe('a range of an object with ten bytes', () => {
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
  ])('requested by %j is %j', (header, range) => {
    expect(readRange(header, 10)).toEqual(range);
  });

  it('of an empty object is unsatisfiable', () => {
    expect(readRange('bytes=0-0', 0)).toBe('unsatisfiable');
  });
});
