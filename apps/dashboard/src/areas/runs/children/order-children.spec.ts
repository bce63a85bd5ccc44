import { expect, it } from '@jest/globals';
import { ChildStates } from '../live/child-states.js';
import { orderChildren } from './order-children.js';

function someChildren(): ChildStates {
  const states = new ChildStates(5);
  states.set(1, 'SUCCEEDED', 11, 10);
  states.set(2, 'FAILED', 12, 30);
  states.set(4, 'FAILED', 14, 20);
  states.set(5, 'RUNNING', 15);
  return states;
}

it('all children by number need no list', () => {
  expect(orderChildren(someChildren(), undefined, false)).toBeUndefined();
});

it('children with other statuses are left out', () => {
  expect([...(orderChildren(someChildren(), ['FAILED', 'RUNNING'], false) ?? [])]).toEqual([1, 3, 4]);
});

it('the longest child is the first one, and those without a duration are the last', () => {
  expect([...(orderChildren(someChildren(), undefined, true) ?? [])]).toEqual([1, 3, 0, 2, 4]);
});
