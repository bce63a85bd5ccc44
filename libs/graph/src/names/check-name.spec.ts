import { describe, expect, it } from '@jest/globals';
import { checkName, showName } from './check-name.js';
import { editDistance, suggestName } from './suggest-name.js';

describe('a node name', () => {
  it.each(['', '.', '..', 'a/b', 'a\nb', '\u007f', '\ud800', '__proto__', 'x'.repeat(256), 'ü'.repeat(128)])(
    '%j cannot be a directory',
    (name) => {
      expect(checkName(name)).toEqual(expect.any(String));
    },
  );

  it.each(['a', 'sort-1', '...', 'a b', '-x', 'ü', 'constructor', 'x'.repeat(255), 'ü'.repeat(127)])(
    '%j can be a directory',
    (name) => {
      expect(checkName(name)).toBeNull();
    },
  );

  it('is shortened and escaped in messages', () => {
    expect(showName(`a\n${'x'.repeat(300)}`)).toBe(`"a\\n${'x'.repeat(78)}…"`);
  });
});

describe('a mistyped name', () => {
  it.each([
    ['srot-1', 'Did you mean "sort-1"?'],
    ['SORT-1', 'Did you mean "sort-1"?'],
    ['jion-2', 'Did you mean "join-2"?'],
    ['completely-else', undefined],
    ['x'.repeat(100_000), undefined],
  ])('such as %.20s gets a suggestion if one is near', (wrong, hint) => {
    expect(suggestName(wrong, ['join-2', 'sort-1', 'sort-2'])).toBe(hint);
  });

  it('is as distant as the number of edits that correct it', () => {
    expect([
      editDistance('', 'abc'),
      editDistance('abc', 'abc'),
      editDistance('abc', 'acb'),
      editDistance('kitten', 'sitting'),
    ]).toEqual([3, 0, 1, 3]);
  });
});
