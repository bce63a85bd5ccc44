import { describe, expect, it } from '@jest/globals';
import { runEnd } from '../testing/run-end.js';
import { describeRunEnd } from './describe-run-end.js';

const author = { user: 'u', vault: 'v' };

describe('the end of a run', () => {
  it.each([
    ['COMPLETED', 'MANUAL', 'MANUAL_RUN_COMPLETED'],
    ['COMPLETED', 'API', 'MANUAL_RUN_COMPLETED'],
    ['COMPLETED', 'SCHEDULED', 'SCHEDULED_RUN_COMPLETED'],
    ['FAILED', 'MANUAL', 'RUN_FAILED'],
    ['FAILED', 'SCHEDULED', 'RUN_FAILED'],
  ] as const)('with status %s of a %s run becomes a notification of type %s', (status, creationType, type) => {
    expect(describeRunEnd(runEnd(author, { status, creationType }))).toMatchObject({ type });
  });

  it('becomes no notification if the author or an unknown user stopped the run', () => {
    expect(describeRunEnd(runEnd(author, { status: 'STOPPED' }))).toBeNull();
    expect(describeRunEnd(runEnd(author, { status: 'STOPPED', stoppedBy: author.user }))).toBeNull();
  });

  it('names another user who stopped the run', () => {
    const run = runEnd(author, { status: 'STOPPED', stoppedBy: 'other' });
    expect(describeRunEnd(run, undefined, 'Bob')).toMatchObject({
      type: 'RUN_FAILED',
      title: 'Port scan was stopped by Bob',
      message: 'Run "nightly scan" of Port scan was stopped by Bob after 1 min 5 s',
      metadata: { status: 'STOPPED', stopped_by: 'other' },
    });
    expect(describeRunEnd(run, 'Ada')?.title).toBe('Port scan was stopped by a former member (run of Ada)');
  });

  it('with status FAILED is a failure, even if a user stopped parts of the run', () => {
    const run = runEnd(author, { status: 'FAILED', stoppedBy: 'other', error: 'exit code 1' });
    expect(describeRunEnd(run)?.title).toBe('Port scan failed');
  });

  it('names the run, the workflow and the duration', () => {
    const { title, message } = describeRunEnd(runEnd(author)) ?? {};
    expect(title).toBe('Port scan completed');
    expect(message).toBe('Run "nightly scan" of Port scan completed in 1 min 5 s');
  });

  it('lists the failed nodes', () => {
    const failures = [{ subjob: '7', node: 'grep-1', label: 'grep', reason: 'exit code 4: no such host' }];
    const run = runEnd(author, { status: 'FAILED', error: 'grep-1: exit code 4', failures, failedNodes: 3 });
    expect(describeRunEnd(run)?.metadata).toMatchObject({ failures, failed_nodes: 3 });
  });

  it('contains the reason of a failure', () => {
    const failed = runEnd(author, { status: 'FAILED', error: 'node grep-1 exited with 2', durationMs: 400 });
    expect(describeRunEnd(failed)?.message).toBe(
      'Run "nightly scan" of Port scan failed after 0.4 s: node grep-1 exited with 2',
    );
  });
});
