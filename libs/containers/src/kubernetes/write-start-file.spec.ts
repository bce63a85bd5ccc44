import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { DEFAULT_LIMITS } from '@millrace/isolation/limits/limits';
import { quoteWord, writeStartFile } from './write-start-file.js';

it('quoteWord makes one word of the shell of any text', () => {
  const texts = ['', ' ', "it's", '$(id) `id` "x" \\', 'line\nbreak', '-n', '*', '!'];
  const words = texts.map(quoteWord).join(' ');
  const printed = execFileSync('sh', ['-c', `printf '%s\\0' ${words}`]).toString();
  expect(printed).toBe(texts.map((text) => `${text}\0`).join(''));
});

it('writeStartFile refuses a NUL, and searches the PATH of the command if it has one', () => {
  const write = (argv: string[], env: Record<string, string>) => writeStartFile({ argv, env }, DEFAULT_LIMITS);
  expect(() => write(['a', 'b\0'], {})).toThrow(/cannot have a NUL/);
  expect(() => write(['a'], { X: '\0' })).toThrow(/cannot have a NUL/);
  expect(write(['a'], { PATH: '/x:/y' })).toContain("search_path='/x:/y'\n");
  expect(write(['a'], {})).not.toContain('search_path');
});
