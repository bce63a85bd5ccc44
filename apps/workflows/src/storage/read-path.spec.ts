import { describe, expect, it } from '@jest/globals';
import { listPathPrefixes, nameOf, parentOf } from './read-path.js';

describe('a path in the file storage', () => {
  it.each([
    ['a', 'a', '', ['a']],
    ['a/b c/d', 'd', 'a/b c', ['a', 'a/b c', 'a/b c/d']],
    ['', '', '', []],
  ])('%j has a name, a parent and a list of folders above it', (path, name, parent, line) => {
    expect([nameOf(path), parentOf(path), listPathPrefixes(path)]).toEqual([name, parent, line]);
  });
});
