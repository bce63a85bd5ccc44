import { describe, expect, it } from '@jest/globals';
import type { Run } from '@millrace/client';
import { chooseOutputPaths, runFolder } from './choose-output-paths.js';

const output = (label: string, node: string, path = 'output.txt', index?: number) => ({
  ...{ label, node, path },
  ...(index !== undefined && { task_index: index }),
});

describe('the paths of downloaded outputs', () => {
  it('begin with the label of the node, and the index of a child', () => {
    const outputs = [output('total', 'sum-1', 'a/b.txt'), output('x', 'a-1', 'f', 1), output('x', 'a-1', 'f', 2)];
    expect(chooseOutputPaths(outputs)).toEqual(['total/a/b.txt', '1-x/f', '2-x/f']);
  });

  it('begin with the name of the node if it has no label, or if several nodes have the label', () => {
    const outputs = [output('total', 'sum-1'), output('total', 'm-1/sum-2'), output('', 'sort-1')];
    expect(chooseOutputPaths(outputs)).toEqual(['sum-1/output.txt', 'm-1-sum-2/output.txt', 'sort-1/output.txt']);
  });

  it('may differ in case alone if one node wrote both files', () => {
    const outputs = [output('x', 'a-1', 'README'), output('x', 'a-1', 'readme')];
    expect(chooseOutputPaths(outputs)).toEqual(['x/README', 'x/readme']);
  });

  it.each(['../x', '/etc/passwd', 'a/../../x', 'a//b'])('do not lead out of the folder by the path %p', (path) => {
    expect(() => chooseOutputPaths([output('total', 'a-1', path)])).toThrow('has a path outside of its folder');
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
