import { describe, expect, it } from '@jest/globals';
import { chooseOutputPaths, outputPath } from './choose-output-paths.js';

let outputCount = 0;
const output = (label: string, node: string, path = 'output.txt', index?: number) => ({
  id: `id-${(outputCount += 1)}`,
  ...{ label, node, path },
  ...(index !== undefined && { task_index: index }),
});

describe('the paths of downloaded outputs', () => {
  it('begin with their labels if all paths differ', () => {
    const outputs = [output('total', 'sum-1'), output('total', 'sum-1', 'a/b.txt'), output('list', 'sort-1')];
    expect(chooseOutputPaths(outputs)).toEqual(['total/output.txt', 'total/a/b.txt', 'list/output.txt']);
  });

  it('contain the node if outputs of several nodes with one label would have the same path', () => {
    const outputs = [
      output('total', 'sum-1'),
      output('total', 'm-1/sum-2'),
      output('total', 'sum-1', 'more.txt'),
      output('list', 'sort-1'),
    ];
    expect(chooseOutputPaths(outputs)).toEqual([
      'total/sum-1/output.txt',
      'total/m-1/sum-2/output.txt',
      'total/sum-1/more.txt',
      'list/output.txt',
    ]);
  });

  it('contain the node before the index of the child', () => {
    const outputs = [output('x', 'a-1', 'f', 0), output('x', 'a-1', 'f', 1), output('x', 'b-1', 'f', 0)];
    expect(chooseOutputPaths(outputs)).toEqual(['x/a-1/0/f', 'x/a-1/1/f', 'x/b-1/0/f']);
  });

  it.each([
    ['differ in case alone', output('Total', 'a-1'), output('total', 'b-1')],
    ['differ in Unicode normalization alone', output('\u00e9', 'a-1'), output('e\u0301', 'b-1')],
    ['are a file and a folder', output('x', 'a-1', 'y'), output('x/y', 'b-1', 'z')],
    ['are a folder and a file', output('x/y', 'a-1', 'z'), output('x', 'b-1', 'y')],
    [
      'have the same path even in the folders of their nodes',
      output('x', 'a-1', 'f'),
      output('x/a-1', 'a-1', 'f'),
      output('x', 'b-1', 'f'),
    ],
    [
      'have the same path because of slashes in labels',
      ...[
        output('x', 'a-1', 'b-1/f'),
        output('x/a-1', 'b-1', 'f'),
        output('x', 'c-1', 'b-1/f'),
        output('x/a-1', 'c-2', 'f'),
      ],
    ],
  ])('are different files if two outputs %s', (_, ...outputs) => {
    const paths = chooseOutputPaths(outputs).map((path) => path.normalize().toLowerCase());
    expect(new Set(paths).size).toBe(outputs.length);
    for (const path of paths) expect(paths.filter((other) => other.startsWith(`${path}/`))).toEqual([]);
  });

  it('may differ in case alone if one node wrote both files', () => {
    expect(chooseOutputPaths([output('x', 'a-1', 'README'), output('x', 'a-1', 'readme')])).toEqual([
      'x/README',
      'x/readme',
    ]);
  });

  it('cannot leave the folder through the name of a node', () => {
    expect(() => chooseOutputPaths([output('x', '../a'), output('x', 'b-1')])).toThrow(
      'has a path outside of the folder',
    );
  });
});

it('outputPath contains the label, and the index of a child of a task group', () => {
  expect(outputPath({ label: 'total', path: 'output.txt' })).toBe('total/output.txt');
  expect(outputPath({ label: 'module/part', path: 'a/b.txt', task_index: 3 })).toBe('module/part/3/a/b.txt');
});

it.each(['../x', '/etc/passwd', 'a/../../x', 'a//b', 'a\\..\\b'])(
  'outputPath rejects %p, which is not a path inside the folder',
  (path) => {
    expect(() => outputPath({ label: 'total', path })).toThrow('has a path outside of the folder');
    expect(() => outputPath({ label: path, path: 'x' })).toThrow('has a path outside of the folder');
  },
);
