import { describe, expect, it } from '@jest/globals';
import { LOAD_STATUSES } from '@millrace/contracts/datasets/loads';
import { canChangeStatus, canReload, canRetry, isFinished, isUnfinished } from './load-transitions.js';

describe('the status of a load', () => {
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
