import { describe, expect, it } from '@jest/globals';
import { listSteps, parentOf, relativeTo } from './folder-path.js';
import { readFilesSearch } from './search.js';

describe('readFilesSearch', () => {
  it('keeps known fields and drops defaults, empty and unknown values', () => {
    expect(readFilesSearch({ folder: '/a/b/', q: 'x', sort: '-size', file: '7', view: 'hex', other: '1' })).toEqual({
      folder: 'a/b',
      q: 'x',
      sort: '-size',
      file: '7',
      view: 'hex',
    });
    expect(readFilesSearch({ folder: '', q: '', sort: 'path', file: '', view: 'nothing' })).toEqual({});
    expect(readFilesSearch({ sort: 'name' })).toEqual({});
  });
});

describe('folder paths', () => {
  it('lists the folders down to a path', () => {
    expect(listSteps('')).toEqual([]);
    expect(listSteps('a/b c')).toEqual([
      { name: 'a', path: 'a' },
      { name: 'b c', path: 'a/b c' },
    ]);
  });

  it('finds the parent', () => {
    expect(parentOf('a/b/c')).toBe('a/b');
    expect(parentOf('a')).toBe('');
  });

  it('shortens paths below a folder only', () => {
    expect(relativeTo('a', 'a/b/c')).toBe('b/c');
    expect(relativeTo('a', 'ab/c')).toBe('ab/c');
    expect(relativeTo('', 'a')).toBe('a');
  });
});
