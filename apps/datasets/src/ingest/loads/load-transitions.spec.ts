import { describe, expect, it } from '@jest/globals';
import { LOAD_STATUSES } from '@millrace/contracts/datasets/loads';
import {
  canChangeStatus,
  canReload,
  canRetry,
  isFinished,
  isUnfinished,
  LOAD_TRANSITIONS,
  type LoadTransition,
} from './load-transitions.js';

const transitions = Object.values<LoadTransition>(LOAD_TRANSITIONS);

describe('the status of a load', () => {
  it('is reachable from a new load, whichever status it is', () => {
    const reached = new Set(transitions.filter(({ from }) => from.length === 0).map(({ to }) => to));
    for (let size = 0; size < reached.size;) {
      size = reached.size;
      for (const { from, to } of transitions) if (from.some((status) => reached.has(status))) reached.add(to);
    }
    expect([...reached].sort()).toEqual([...LOAD_STATUSES].sort());
  });

  it.each(LOAD_STATUSES)('%s is either finished or unfinished, and only an unfinished load can fail', (status) => {
    expect(isFinished(status)).toBe(!isUnfinished(status));
    expect(canChangeStatus(status, 'FAILED')).toBe(isUnfinished(status));
  });

  it('leaves COMPLETED only by a reload and FAILED only by a retry', () => {
    const after = (status: (typeof LOAD_STATUSES)[number]) => LOAD_STATUSES.filter((to) => canChangeStatus(status, to));
    expect(after('COMPLETED')).toEqual(['PENDING']);
    expect(after('FAILED')).toEqual(['PENDING', 'READING']);
    expect(LOAD_STATUSES.filter(canReload)).toEqual(['COMPLETED']);
    expect(LOAD_STATUSES.filter(canRetry)).toEqual(['FAILED']);
  });
});
