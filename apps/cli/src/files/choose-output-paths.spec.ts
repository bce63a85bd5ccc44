import { describe, expect, it } from '@jest/globals';
import type { Run } from '@millrace/client';
import { chooseOutputPaths, runFolder } from './choose-output-paths.js';

let subjobCount = 0;
const output = (label: string, node: string, path = 'output.txt', index?: number) => ({
  subjob: String((subjobCount += 1)),
  ...{ label, node, path },
  ...(index !== undefined && { task_index: index }),
});

describe('the paths of downloaded outputs', () => {
  it('begin with the labels of their nodes', () => {
    const outputs = [output('total', 'sum-1'), output('total', 'sum-1', 'a/b.txt'), output('list', 'sort-1')];
    expect(chooseOutputPaths(outputs)).toEqual(['total/output.txt', 'total/a/b.txt', 'list/output.txt']);
  });

  it('begin with the index of a child of a task group', () => {
    const outputs = [output('x', 'a-1', 'f', 1), output('x', 'a-1', 'f', 2)];
    expect(chooseOutputPaths(outputs)).toEqual(['1-x/f', '2-x/f']);
  });

  it('begin with the name of the node if it has no label, or if several nodes have the label', () => {
    const outputs = [output('total', 'sum-1'), output('total', 'm-1/sum-2'), output('', 'sort-1')];
    expect(chooseOutputPaths(outputs)).toEqual(['sum-1/output.txt', 'm-1-sum-2/output.txt', 'sort-1/output.txt']);
  });

  it('contain no slashes of labels', () => {
    expect(chooseOutputPaths([output('a/b', 'x-1'), output('../c', 'y-1')])).toEqual([
      'a-b/output.txt',
      '..-c/output.txt',
    ]);
  });

  it.each<[string, ...ReturnType<typeof output>[]]>([
    ['differ in case alone', output('Total', 'a-1'), output('total', 'b-1')],
    ['differ in Unicode normalization alone', output('\u00e9', 'a-1'), output('e\u0301', 'b-1')],
    ['look like a child of the other', output('1-x', 'a-1', 'f'), output('x', 'b-1', 'f', 1)],
    ['have the name of another node', output('b-1', 'a-1', 'f'), output('b-1', 'b-1', 'f'), output('a-1', 'c-1', 'f')],
    ['have nodes whose names differ in slashes', output('x', 'm-1/a-1', 'f'), output('x', 'm-1-a-1', 'f')],
  ])('are in different folders if two labels %s', (_, ...outputs) => {
    const folders = chooseOutputPaths(outputs).map((path) => path.split('/')[0]?.normalize().toLowerCase());
    expect(new Set(folders).size).toBe(outputs.length);
  });

  it('may differ in case alone if one node wrote both files', () => {
    const outputs = [output('x', 'a-1', 'README'), output('x', 'a-1', 'readme')];
    expect(chooseOutputPaths(outputs)).toEqual(['x/README', 'x/readme']);
  });

  it.each(['../x', '/etc/passwd', 'a/../../x', 'a//b', 'a\\..\\b'])(
    'do not lead out of the folder by the path %p',
    (path) => {
      expect(() => chooseOutputPaths([output('total', 'a-1', path)])).toThrow('has a path outside of its folder');
    },
  );

  it.each(['..', '.'])('do not lead out of the folder by the label %p', (label) => {
    expect(() => chooseOutputPaths([output(label, 'a-1')])).toThrow('cannot be the name of a folder');
  });
});

describe('the folder of a run', () => {
  const run = { id: '42', space_name: 'Scans', workflow_name: 'Ports/TCP', created_date: '2026-01-02T03:04:05.678Z' };

  it('contains the names of the space, the project and the workflow, and when it started', () => {
    const started = { ...run, project_name: 'Weekly', started_date: '2026-01-02T03:04:06.789Z' } as Run;
    expect(runFolder(started)).toBe('Scans/Weekly/Ports-TCP/run-2026-01-02T030406Z-42');
  });

  it('contains when the run was created if it never started', () => {
    expect(runFolder(run as Run)).toBe('Scans/Ports-TCP/run-2026-01-02T030405Z-42');
  });
});
