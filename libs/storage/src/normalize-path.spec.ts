import { describe, expect, it } from '@jest/globals';
import { InvalidPath, MAX_PATH_LENGTH, normalizePath } from './normalize-path.js';

describe('a relative path', () => {
  it.each(['a', 'a/b.txt', ' spaces and ünïcödé/…', '..a/b..', 'a\\b', '-rf', '日本/語', '😀'])(
    '%j is taken as it is',
    (path) => {
      expect(normalizePath(path)).toBe(path.normalize('NFC'));
    },
  );

  it('has one form, however its accents were typed', () => {
    expect(normalizePath('e\u0301')).toBe(normalizePath('\u00e9'));
  });

  it.each([
    ['', 'empty'],
    ['/a', 'relative'],
    ['a/', 'empty segments'],
    ['a//b', 'empty segments'],
    ['..', '".."'],
    ['a/../b', '".."'],
    ['./a', '"."'],
    ['a\0b', 'NUL'],
    ['a\ud800b', 'Unicode'],
    ['x'.repeat(256), '255 bytes'],
    [`${'ä'.repeat(128)}/a`, '255 bytes'],
    ['x/'.repeat(MAX_PATH_LENGTH / 2) + 'x', `${MAX_PATH_LENGTH} characters`],
  ])('%j is refused: %s', (path, reason) => {
    expect(() => normalizePath(path)).toThrow(InvalidPath);
    expect(() => normalizePath(path)).toThrow(reason);
  });
});
