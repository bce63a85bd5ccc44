import { describe, expect, it } from '@jest/globals';
import { cleanPath, pathBelow } from './stored-paths.js';

describe('the path of a stored file', () => {
  it('is relative to the folder that is downloaded', () => {
    expect(pathBelow('lists', 'lists/a/b.txt')).toBe('a/b.txt');
    expect(pathBelow('', 'b.txt')).toBe('b.txt');
    expect(cleanPath('/lists/a/')).toBe('lists/a');
  });

  it.each(['x/../../etc/passwd', 'x/./a', 'x//a', 'x/a\\b'])('%s that leads elsewhere is refused', (path) => {
    expect(() => pathBelow('x', path)).toThrow('outside of the folder');
  });
});
