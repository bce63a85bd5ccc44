import { describe, expect, it } from '@jest/globals';
import { OPEN_SANDBOX_STATUSES, SANDBOX_STATUSES } from '@millrace/contracts/runs/sandbox';
import { isFinalRun, isFinalSubjob, RUN_STATUSES, SUBJOB_STATUSES } from '@millrace/contracts/runs/statuses';
import { SESSION_TRANSITIONS } from '../../sandbox/sessions/session-transitions.js';
import { isAwaitingFirstSubjob, RUN_TRANSITIONS } from './run-transitions.js';
import { canRunAgain, hasStarted, isAbandoned, isActive, SUBJOB_TRANSITIONS } from './subjob-transitions.js';
import { TASK_TRANSITIONS } from './task-transitions.js';
import { isFinalState, requireTransition } from './transition-table.js';

describe('the transition tables', () => {
  it('give a run a final status exactly where the contract does', () => {
    expect(RUN_STATUSES.filter((status) => isFinalState(RUN_TRANSITIONS, status))).toEqual(
      RUN_STATUSES.filter(isFinalRun),
    );
  });

  it('give a subjob a final status exactly where the contract does', () => {
    expect(SUBJOB_STATUSES.filter((status) => isFinalState(SUBJOB_TRANSITIONS, status))).toEqual(
      SUBJOB_STATUSES.filter(isFinalSubjob),
    );
  });

  it('let a sandbox session change exactly while the contract calls it open', () => {
    expect(SANDBOX_STATUSES.filter((status) => !isFinalState(SESSION_TRANSITIONS, status))).toEqual(
      OPEN_SANDBOX_STATUSES,
    );
  });

  it.each([
    ['run', RUN_TRANSITIONS, ['PENDING', 'SUBMITTED']],
    ['subjob', SUBJOB_TRANSITIONS, ['PENDING']],
    ['task', TASK_TRANSITIONS, ['WAITING', 'READY']],
    ['sandbox session', SESSION_TRANSITIONS, ['starting']],
  ] as const)('let a %s reach every state from its first ones', (_subject, table, first) => {
    const reached = new Set<string>(first);
    for (const state of reached) {
      for (const next of Object.keys(table[state as keyof typeof table])) reached.add(next);
    }
    expect([...reached].sort()).toEqual(Object.keys(table).sort());
  });

  it('refuse a transition that they do not have', () => {
    expect(() => requireTransition(SUBJOB_TRANSITIONS, 'subjob', 'SUCCEEDED', 'RUNNING')).toThrow(
      'A subjob cannot go from SUCCEEDED to RUNNING',
    );
  });
});

describe('the predicates of states', () => {
  it('name the runs that wait for their first subjob', () => {
    expect(RUN_STATUSES.filter(isAwaitingFirstSubjob)).toEqual(['PENDING', 'SUBMITTED']);
  });

  it.each([
    ['are active', isActive, ['RUNNING', 'STOPPING']],
    ['have started', hasStarted, ['RUNNING', 'SUCCEEDED', 'FAILED']],
    ['are abandoned', isAbandoned, ['STOPPED', 'SKIPPED']],
    ['can run again', canRunAgain, ['RUNNING']],
  ] as const)('name the subjobs that %s', (_name, predicate, statuses) => {
    expect(SUBJOB_STATUSES.filter(predicate)).toEqual(statuses);
  });
});
