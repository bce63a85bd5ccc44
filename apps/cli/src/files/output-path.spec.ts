import { expect, it } from '@jest/globals';
import { outputPath } from './output-path.js';

it('an output lies under its label, a child of a task group under its number', () => {
  expect(outputPath({ label: 'total', path: 'output.txt' })).toBe('total/output.txt');
  expect(outputPath({ label: 'module/part', path: 'a/b.txt', task_index: 3 })).toBe('module/part/3/a/b.txt');
});

it.each(['../x', '/etc/passwd', 'a/../../x', 'a//b', 'a\\..\\b'])(
  'the path %p does not lead out of the folder',
  (path) => {
    expect(() => outputPath({ label: 'total', path })).toThrow('has a path outside of the folder');
    expect(() => outputPath({ label: path, path: 'x' })).toThrow('has a path outside of the folder');
  },
);
