import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ChildStates, STATUSES } from './child-states.js';

const change = fc.record({ index: fc.integer({ min: 1, max: 40 }), status: fc.constantFrom(...STATUSES) });

it('the counts are those of the statuses after any changes', () => {
  fc.assert(
    fc.property(fc.nat(20), fc.array(change), (size, changes) => {
      const states = new ChildStates(size);
      for (const { index, status } of changes) states.set(index, status);
      const statuses = Array.from({ length: states.size }, (_, place) => states.statusAt(place));
      for (const status of STATUSES)
        expect(states.count(status)).toBe(statuses.filter((other) => other === status).length);
    }),
  );
});

it('the last change of a child applies, and its id and duration are kept', () => {
  const states = new ChildStates(3);
  states.set(2, 'RUNNING', 17);
  states.set(2, 'FAILED', undefined, 250);
  expect([states.statusAt(1), states.idAt(1), states.durationAt(1)]).toEqual(['FAILED', '17', 250]);
  expect([states.idAt(0), states.durationAt(0)]).toEqual([undefined, undefined]);
});

it('changed places are reported once, and not one by one after all have changed', () => {
  const states = new ChildStates(3);
  states.set(1, 'RUNNING');
  states.set(3, 'RUNNING');
  expect(states.takeChanged()).toEqual([0, 2]);
  expect(states.takeChanged()).toEqual([]);
  states.fill('SUCCEEDED');
  states.set(2, 'FAILED');
  expect(states.takeChanged()).toBeUndefined();
});
