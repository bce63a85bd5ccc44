import { expect, it } from '@jest/globals';
import { ChildStates, type SubjobStatus } from '../live/child-states.js';
import { orderChildren } from './order-children.js';

/** The children 1 to 5 are SUCCEEDED, FAILED, PENDING, FAILED and RUNNING, which started 15 ms before `now`. */
function someChildren(): ChildStates {
  const states = new ChildStates(5);
  const run = (index: number, status: SubjobStatus | undefined, durationMs: number) => {
    states.applyChange(1, { index, status: 'RUNNING', id: 10 + index, at: 1_000 });
    if (status) states.applyChange(2, { index, status, id: 10 + index, at: 1_000 + durationMs });
  };
  run(1, 'SUCCEEDED', 10);
  run(2, 'FAILED', 30);
  run(4, 'FAILED', 20);
  run(5, undefined, 0);
  return states;
}

it('all children by number need no list', () => {
  expect(orderChildren(someChildren(), undefined, false)).toBeUndefined();
});

it('children with other statuses are left out', () => {
  expect([...(orderChildren(someChildren(), ['FAILED', 'RUNNING'], false) ?? [])]).toEqual([1, 3, 4]);
});

it('the longest child is the first one, a running one has its time so far, and one that has not started is the last', () => {
  expect([...(orderChildren(someChildren(), undefined, true, 1_015) ?? [])]).toEqual([1, 3, 4, 0, 2]);
});
