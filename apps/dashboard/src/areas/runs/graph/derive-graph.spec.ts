import { expect, it } from '@jest/globals';
import type { Subjob } from '@millrace/client';
import { statusOfModule } from '../shared/module-status.js';
import { RunGraphDeriver } from './derive-graph.js';

const step = (node: string, status: Subjob['status']) => ({ id: node, node, status }) as Subjob;
const structure = {
  nodes: [
    { id: 'scan-1', label: 'scan', kind: 'step' as const },
    { id: 'deep-1', label: 'deep', kind: 'module' as const },
    { id: 'file-1', label: 'hosts', kind: 'input' as const },
  ],
  edges: [],
};

it('a node has the colour of its step, a module that of the nodes inside it', () => {
  const steps = [step('scan-1', 'SUCCEEDED'), step('deep-1/a-1', 'SUCCEEDED'), step('deep-1/b-1', 'FAILED')];
  const nodes = new RunGraphDeriver().derive(structure, {}, steps);
  expect(nodes.map(({ id, tone }) => [id, tone])).toEqual([
    ['scan-1', 'succeeded'],
    ['deep-1', 'failed'],
    ['file-1', 'neutral'],
  ]);
});

it('only nodes whose steps have changed are new objects', () => {
  const deriver = new RunGraphDeriver();
  const steps = [step('scan-1', 'PENDING'), step('deep-1/a-1', 'PENDING')];
  const before = deriver.derive(structure, {}, steps);
  const after = deriver.derive(structure, {}, [step('scan-1', 'RUNNING'), ...steps.slice(1)]);
  expect(after.map((node, place) => node === before[place])).toEqual([false, true, true]);
});

it.each([
  [[], undefined],
  [['SUCCEEDED', 'SKIPPED'], 'SUCCEEDED'],
  [['SUCCEEDED', 'PENDING'], 'RUNNING'],
  [['PENDING', 'PENDING'], 'PENDING'],
  [['FAILED', 'RUNNING'], 'FAILED'],
] as const)('a module with %j is %s', (statuses, expected) => {
  expect(statusOfModule(statuses.map((status) => ({ status })))).toBe(expected);
});
