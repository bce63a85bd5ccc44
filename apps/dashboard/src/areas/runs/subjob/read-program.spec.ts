import { expect, it } from '@jest/globals';
import { readProgram, toCommandLine } from './read-program.js';

const data = {
  nodes: {
    'sort-1': {
      type: 'TOOL',
      container: { image: 'debian:12', command: 'sort --stable', args: ['-k', '1 2'] },
      inputs: {
        file: { type: 'FILE', order: 3 },
        unique: { type: 'BOOLEAN', order: 1, command: '-u' },
        by: { type: 'STRING', order: 2, command: '-t' },
      },
    },
    'head-1': { type: 'SCRIPT', script_type: 'python', script: { source: 'print(1)' } },
    'broken-1': { type: 'SCRIPT', script: { source: 7 } },
  },
};

it('the command line of a tool has its inputs in their order', () => {
  const params = { 'file/http-input-1': 'in/a b.txt', unique: true, by: ';' };
  expect(readProgram(data, 'sort-1', params)).toEqual({
    ...{ title: 'Command', image: 'debian:12' },
    text: `sort --stable -k '1 2' -u -t ';' 'in/a b.txt'`,
  });
});

it('a script is its source', () => {
  expect(readProgram(data, 'head-1', {})).toEqual({ title: 'Script (python)', text: 'print(1)' });
});

it.each(['scan-1/inner-1', 'absent-1', 'broken-1'])('the program of %s is undefined', (node) => {
  expect(readProgram(data, node, {})).toBeUndefined();
});

it('data of another shape has no program', () => {
  expect(readProgram(null, 'a', {})).toBeUndefined();
  expect(readProgram({ nodes: [] }, 'a', {})).toBeUndefined();
});

it('words are quoted if a shell would split or change them', () => {
  expect(toCommandLine(['echo', "it's", '$HOME', 'a/b.c', ''])).toBe(`echo 'it'\\''s' '$HOME' a/b.c ''`);
});
