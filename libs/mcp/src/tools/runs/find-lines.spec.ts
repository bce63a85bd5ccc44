import { expect, it } from '@jest/globals';
import { findLines } from './find-lines.js';

const LOG = 'one\ntwo Error\nthree\nfour\nfive\nsix error\nseven\n';
const search = (more: object = {}) =>
  findLines(LOG, { grep: 'ERROR', context: 0, after_line: 0, maxCharacters: 1000, ...more });

it('finds lines ignoring case, with their numbers', () => {
  expect(search()).toEqual({ text: '2: two Error\n…\n6: six error', nextLine: null });
});

it('shows lines around matches once', () => {
  expect(search({ context: 2 }).text.split('\n')).toHaveLength(7);
  expect(search({ context: 1 }).text).toContain('3: three\n…\n5: five');
});

it('continues after the last line of a part', () => {
  const first = search({ maxCharacters: 20 });
  expect(first).toEqual({ text: '2: two Error', nextLine: 5 });
  expect(search({ after_line: first.nextLine })).toEqual({ text: '6: six error', nextLine: null });
  expect(search({ grep: 'nothing' })).toEqual({ text: '', nextLine: null });
});
