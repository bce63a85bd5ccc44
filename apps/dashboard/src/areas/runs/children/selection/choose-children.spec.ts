import { expect, it } from '@jest/globals';
import { ChildStates, type SubjobStatus } from '../../live/child-states.js';
import { chooseChildren, describeNumbers } from './choose-children.js';

const LIST: SubjobStatus[] = ['PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'STOPPING', 'STOPPED', 'SKIPPED'];
const states = new ChildStates(7);
for (const [place, status] of LIST.entries()) states.applyChange(1, { index: place + 1, status, id: place, at: 0 });
const all = LIST.keys();

it('each verb gets the selected children whose status it fits', () => {
  expect(chooseChildren(states, [...all], false)).toEqual({ retry: [3, 4, 6, 7], stop: [1, 2], skip: [1, 4, 6] });
  expect(chooseChildren(states, [3, 5], false)).toEqual({ retry: [4, 6], stop: [], skip: [4, 6] });
});

it('nothing can be stopped in a run that has ended', () => {
  expect(chooseChildren(states, [0, 1, 3], true)).toEqual({ retry: [4], stop: [], skip: [4] });
});

it('numbers that follow each other are ranges', () => {
  expect(describeNumbers([5, 1, 3, 4])).toBe('1, 3–5');
  expect(describeNumbers([1, 3, 5, 7], 2)).toBe('1, 3, …');
});
