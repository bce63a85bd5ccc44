import { describe, expect, it } from '@jest/globals';
import { formatBytes } from './format-bytes.js';
import { countOf } from './format-count.js';
import { formatDuration, formatRelative } from './format-duration.js';

describe('formatDuration', () => {
  it.each([
    [0, '0 ms'],
    [340.4, '340 ms'],
    [999.6, '1.0 s'],
    [1_234, '1.2 s'],
    [9_960, '10 s'],
    [59_400, '59 s'],
    [59_600, '1 min 00 s'],
    [185_000, '3 min 05 s'],
    [3_599_600, '1 h 00 min'],
    [7_620_000, '2 h 07 min'],
    [385_200_000, '4 d 11 h'],
    [-5, '0 ms'],
  ])('writes %d ms as "%s"', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe('formatBytes', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1.0 kB'],
    [3_400_000, '3.4 MB'],
    [999_600, '1.0 MB'],
    [120_000_000_000, '120 GB'],
  ])('writes %d bytes as "%s"', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});

describe('formatRelative', () => {
  const now = Date.parse('2026-11-26T12:00:00Z');
  it.each([
    [0, 'just now'],
    [-40, 'just now'],
    [20, 'in a moment'],
    [-300, '5 minutes ago'],
    [7_200, 'in 2 hours'],
    [-86_400, 'yesterday'],
    [-86_400 * 60, '2 months ago'],
  ])('writes a time in %d s as "%s"', (seconds, text) => {
    expect(formatRelative(new Date(now + seconds * 1000), now)).toBe(text);
  });
});

it('countOf adds the noun in singular or plural', () => {
  expect(countOf(1, 'run')).toBe('1 run');
  expect(countOf(0, 'run')).toBe('0 runs');
  expect(countOf(2_500, 'entry', 'entries')).toBe('2,500 entries');
});
