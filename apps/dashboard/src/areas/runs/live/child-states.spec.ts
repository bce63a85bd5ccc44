import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { RunChange } from '@millrace/client';
import { ChildStates, STATUSES, type SubjobStatus } from './child-states.js';
import { LiveRun } from './live-run.js';

const LETTERS = 'PRSFGTK';
const CHILDREN = 6;
const change = (index: number, status: SubjobStatus, id = index, at = 0) => ({ index, status, id, at });
const at = '2026-11-24T10:00:00.000Z';
const snapshot = (seq: number, statuses: string, durations = '..'.repeat(statuses.length)) => ({
  ...{ seq, at, count: statuses.length, from: 1, statuses, durations, next: null },
});

const changes = fc.array(
  fc.record({ index: fc.integer({ min: 1, max: CHILDREN }), status: fc.constantFrom(...STATUSES) }),
  { maxLength: 30 },
);

it('the counts are those of the statuses after any changes', () => {
  fc.assert(
    fc.property(fc.nat(20), changes, (size, list) => {
      const states = new ChildStates(size);
      for (const [n, { index, status }] of list.entries()) states.applyChange(n + 1, change(index, status));
      const statuses = Array.from({ length: states.size }, (_, place) => states.statusAt(place));
      for (const status of STATUSES)
        expect(states.count(status)).toBe(statuses.filter((other) => other === status).length);
    }),
  );
});

it('every child shows its last status, whatever the order of snapshots and of a stream that reconnects', () => {
  fc.assert(
    fc.property(
      changes,
      fc.nat(),
      fc.array(fc.record({ seq: fc.nat(), after: fc.nat() }), { minLength: 1, maxLength: 4 }),
      fc.array(fc.record({ after: fc.nat(), back: fc.nat(5) }), { maxLength: 3 }),
      (list, begin, snapshots, reconnects) => {
        const last = list.length;
        const truth = (seq: number) => {
          const letters = Array.from({ length: CHILDREN }, () => 'P');
          for (const { index, status } of list.slice(0, seq))
            letters[index - 1] = LETTERS[STATUSES.indexOf(status)] ?? '';
          return letters.join('');
        };
        const run = new LiveRun();
        const from = begin % (last + 1);
        run.begin(from);
        // The server's responses are of any moment after the beginning of the stream, and may arrive much later.
        const reads = snapshots.map(({ seq, after }) => ({
          seq: from + (seq % (last - from + 1)),
          arrives: from + (after % (last - from + 1)),
        }));
        const deliver = (seq: number) => {
          const { index, status } = list[seq - 1] ?? { index: 1, status: 'PENDING' };
          run.add(seq, { subject: String(index), node: 'n', task_index: index, status, at } satisfies RunChange);
        };
        for (let seq = from; seq <= last; seq++) {
          if (seq > from) deliver(seq);
          for (const { after, back } of reconnects)
            if (from + (after % (last - from + 1)) === seq)
              for (let again = Math.max(from + 1, seq - back); again <= seq; again++) deliver(again);
          for (const read of reads)
            if (read.arrives === seq) run.childrenOf('n').applySnapshot(snapshot(read.seq, truth(read.seq)));
        }
        const states = run.childrenOf('n', CHILDREN);
        expect(Array.from({ length: CHILDREN }, (_, place) => LETTERS[states.codeAt(place)]).join('')).toBe(
          truth(last),
        );
      },
    ),
  );
});

it('durations come from snapshots, and from the start that a snapshot shows', () => {
  const states = new ChildStates();
  // 1.2 s, not started, and running for 1.2 s.
  states.applySnapshot(snapshot(9, 'SPR', 'T8..T8'));
  expect([0, 1, 2].map((place) => states.durationAt(place))).toEqual([1198, undefined, undefined]);
  states.applyChange(10, change(3, 'FAILED', 17, Date.parse(at) + 1000));
  expect([states.statusAt(2), states.idAt(2), states.durationAt(2)]).toEqual(['FAILED', '17', 2198]);
});

it('a later snapshot with fewer children removes the others', () => {
  const states = new ChildStates();
  states.applySnapshot(snapshot(9, 'SSFS'));
  states.applySnapshot(snapshot(20, 'PR'));
  expect([states.size, states.count('SUCCEEDED'), states.count('FAILED'), states.count('PENDING')]).toEqual([
    2, 0, 0, 1,
  ]);
});

it('changed places are reported once, and not one by one after all have changed', () => {
  const states = new ChildStates(3);
  states.takeChanged();
  states.applyChange(1, change(1, 'RUNNING'));
  states.applyChange(2, change(3, 'RUNNING'));
  expect(states.takeChanged()).toEqual([0, 2]);
  expect(states.takeChanged()).toEqual([]);
  states.applySnapshot(snapshot(3, 'SSS'));
  states.applyChange(4, change(2, 'FAILED'));
  expect(states.takeChanged()).toBeUndefined();
});
