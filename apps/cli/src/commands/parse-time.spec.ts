import { describe, expect, it } from '@jest/globals';
import { parseTime } from './parse-time.js';

describe('a time in an option', () => {
  it('is a date in UTC, or a time with its zone', () => {
    expect(parseTime('2026-11-01')).toBe('2026-11-01T00:00:00.000Z');
    expect(parseTime('2026-11-01T12:30:00+02:00')).toBe('2026-11-01T10:30:00.000Z');
  });

  it.each(['yesterday', '2026-13-01', '2026-11-01T12:30', '2026'])('%s is refused', (text) => {
    expect(() => parseTime(text)).toThrow('Use a date');
  });
});
