import { expect, it } from '@jest/globals';
import { ChildStates } from './child-states.js';
import { countInsights, newerInsights } from './count-insights.js';

const children = new ChildStates(3);
children.applyChange(1, { index: 1, status: 'SUCCEEDED', id: 1, at: 0 });
children.applyChange(2, { index: 2, status: 'FAILED', id: 2, at: 0 });

it('a node counts once, and a task group as its children', () => {
  const steps = [
    { node: 'a-1', status: 'SUCCEEDED' as const },
    { node: 'b-1', status: 'RUNNING' as const, task_count: 3 },
    { node: 'c-1', status: 'SUCCEEDED' as const, task_count: 0 },
  ];
  expect(countInsights(steps, () => children.getCounts())).toMatchObject({
    ...{ total: 5, succeeded: 3, failed: 1, pending: 1, running: 0 },
  });
  expect(countInsights(steps, () => undefined)).toBeUndefined();
});

it('of two counts, the one with more ended subjobs is the newer one', () => {
  const counts = countInsights([{ node: 'a-1', status: 'RUNNING' }], () => undefined);
  if (!counts) throw new Error('There are no groups.');
  const later = { ...counts, running: 0, succeeded: 1 };
  expect(newerInsights(counts, later)).toBe(later);
  expect(newerInsights(later, counts)).toBe(later);
  expect(newerInsights(counts, { ...later, total: 7 })).toBe(counts);
});
