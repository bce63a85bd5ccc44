import { describe, expect, it } from '@jest/globals';
import { OPEN_SANDBOX_STATUSES, SANDBOX_STATUSES } from '@millrace/contracts/runs/sandbox';
import { isFinalRun, isFinalSubjob, RUN_STATUSES, SUBJOB_STATUSES } from '@millrace/contracts/runs/statuses';
import { isFinalState } from '@millrace/service/transition-table';
import { SESSION_TRANSITIONS } from '../../sandbox/sessions/session-transitions.js';
import { isAwaitingFirstSubjob, RUN_TRANSITIONS } from './run-transitions.js';
import { canRunAgain, hasStarted, isAbandoned, isActive, SUBJOB_TRANSITIONS } from './subjob-transitions.js';

describe('the transition tables', () => {
  it('make the same run statuses final as the contract', () => {
    expect(RUN_STATUSES.filter((status) => isFinalState(RUN_TRANSITIONS, status))).toEqual(
      RUN_STATUSES.filter(isFinalRun),
    );
  });

  it('make the same subjob statuses final as the contract', () => {
    expect(SUBJOB_STATUSES.filter((status) => isFinalState(SUBJOB_TRANSITIONS, status))).toEqual(
      SUBJOB_STATUSES.filter(isFinalSubjob),
    );
  });

  it('let a sandbox session change as long as the contract calls it open, and no longer', () => {
    expect(SANDBOX_STATUSES.filter((status) => !isFinalState(SESSION_TRANSITIONS, status))).toEqual(
      OPEN_SANDBOX_STATUSES,
    );
  });
});

describe('the predicates of states', () => {
  it('select the runs that wait for their first subjob', () => {
    expect(RUN_STATUSES.filter(isAwaitingFirstSubjob)).toEqual(['PENDING', 'SUBMITTED']);
  });

  it.each([
    ['are active', isActive, ['RUNNING', 'STOPPING']],
    ['have started', hasStarted, ['RUNNING', 'SUCCEEDED', 'FAILED']],
    ['are abandoned', isAbandoned, ['STOPPED', 'SKIPPED']],
    ['can run again', canRunAgain, ['RUNNING']],
  ] as const)('select the subjobs that %s', (_name, predicate, statuses) => {
    expect(SUBJOB_STATUSES.filter(predicate)).toEqual(statuses);
  });
});
