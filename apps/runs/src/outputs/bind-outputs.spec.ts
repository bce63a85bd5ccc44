import { describe, expect, it } from '@jest/globals';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import { bindOutputs } from './bind-outputs.js';

const script = (label?: string) => ({
  type: 'SCRIPT',
  script: { source: 'true' },
  ...(label !== undefined && { meta: { label } }),
});
const wrap = (nodes: object) => ({ workflow_id: 'w', name: 'w', data: { nodes } });
const planOf = (inner: object, deeper: object = {}) =>
  compilePlan(
    { nodes: { 'm-1': { type: 'WORKFLOW', workflow: 'inner' } } },
    { inner: wrap(inner), deeper: { ...wrap(deeper), workflow_id: 'd' } },
  );

describe('bindOutputs', () => {
  it.each([
    ['hosts', 'm-1/find-1', 'output.txt'],
    ['hosts/file', 'm-1/find-1', 'output.txt'],
    ['hosts/all.csv', 'm-1/find-1', 'all.csv'],
    ['find-1', 'm-1/find-1', 'output.txt'],
    ['other-1', 'm-1/other-1', 'output.txt'],
  ])('finds the output that the port %s of a module selects', (port, node, path) => {
    const plan = planOf({ 'find-1': script('hosts'), 'other-1': script() });
    expect(bindOutputs(plan, 'm-1', port)).toEqual([{ node, path }]);
  });

  it('resolves a path without a port to the only named output', () => {
    expect(bindOutputs(planOf({ 'a-1': script('named'), 'b-1': script() }), 'm-1', 'output.txt')).toEqual([
      { node: 'm-1/a-1', path: 'output.txt' },
    ]);
    expect(bindOutputs(planOf({ 'a-1': script('named'), 'b-1': script('too') }), 'm-1', 'output.txt')).toEqual([]);
  });

  it('finds nested nodes by their path', () => {
    const plan = planOf({ 'n-1': { type: 'WORKFLOW', workflow: 'deeper' } }, { 'x-1': script() });
    expect(bindOutputs(plan, 'm-1', 'n-1/x-1')).toEqual([{ node: 'm-1/n-1/x-1', path: 'output.txt' }]);
  });

  it('does not confuse a module with a node whose name has the same prefix', () => {
    expect(bindOutputs(planOf({ 'a-1': script('named') }), 'm', 'named')).toEqual([]);
  });
});
