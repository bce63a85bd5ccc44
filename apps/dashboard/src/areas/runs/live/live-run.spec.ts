import { expect, it } from '@jest/globals';
import { LiveRun } from './live-run.js';

const at = '2026-11-24T10:00:00.000Z';
const snapshot = (seq: number) => ({
  ...{ seq, at, count: 2, from: 1, statuses: 'SS', durations: '....', next: null },
});

function loadedRun(seq: number): LiveRun {
  const run = new LiveRun();
  run.begin(seq);
  const states = run.childrenOf('scan-1');
  states.applySnapshot(snapshot(seq));
  states.snapshotSeq = seq;
  return run;
}

it('a stream continues where it ended, or with the present if it has missed very much', () => {
  const run = loadedRun(100);
  expect([run.begin(1_100), run.seq, run.from]).toEqual([false, 100, 100]);
  expect(run.knownChildrenOf('scan-1')?.size).toBe(2);
  const { epoch } = run;
  expect([run.begin(50_000), run.seq, run.from]).toEqual([true, 50_000, 50_000]);
  expect(run.knownChildrenOf('scan-1')).toBeUndefined();
  expect(run.epoch).not.toBe(epoch);
});

it('children that are distributed again are other children', () => {
  const run = loadedRun(100);
  const { epoch } = run;
  run.add(101, { subject: '7', node: 'scan-1', status: 'PENDING', at });
  expect(run.knownChildrenOf('scan-1')).toBeUndefined();
  expect(run.epoch).not.toBe(epoch);
  expect(run.childrenOf('scan-1').size).toBe(0);
});
