import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findDisplaced, foldersAbove } from './find-displaced.js';

const path = fc.array(fc.constantFrom('a', 'b', 'ab'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const file = (one: string) => ({ path: one, kind: 'file' as const });

describe('findDisplaced', () => {
  it('leaves no path that is both a file and a folder, and displaces nothing else', () => {
    fc.assert(
      fc.property(fc.array(path), path, (existing, added) => {
        const displaced = findDisplaced(existing, [file(added)]);
        for (const one of existing) {
          const conflicts = one.startsWith(`${added}/`) || added.startsWith(`${one}/`);
          expect(displaced.includes(one)).toBe(conflicts);
        }
      }),
    );
  });

  it('displaces an empty folder that gets content, and displaces nothing for a new empty folder', () => {
    expect(findDisplaced(['a', 'c'], [file('a/b')])).toEqual(['a']);
    expect(findDisplaced(['a/b'], [{ path: 'a', kind: 'folder' }])).toEqual([]);
  });
});

describe('foldersAbove', () => {
  it('lists all folders above a path', () => {
    expect(foldersAbove('a/b/c')).toEqual(['a', 'a/b']);
    expect(foldersAbove('a')).toEqual([]);
  });
});
