import { describe, expect, it } from '@jest/globals';
import { newId } from '@millrace/persistence/ids';
import { runEnd } from '../../testing/run-end.js';
import { describeRun } from './describe-run.js';
import { writeBody } from './webhook-publisher.js';

const author = { user: newId(), vault: newId() };
const failures = [
  {
    subjob: '7',
    node: 'grep-1',
    label: 'grep',
    reason: '3 of 9 failed: exit code 4 (3)',
    failed_children: 3,
    children: 9,
  },
  { subjob: '8', node: 'sort-1', label: 'sort', reason: 'timed out after 1 s' },
];
const error = 'grep-1: 3 of 9 failed: exit code 4 (3); sort-1: timed out after 1 s; and 1 more node failed';

describe('the webhook message of a run that failed', () => {
  it('lists the failed nodes with their reasons and the URL of the run', () => {
    const [event] = describeRun(runEnd(author, { status: 'FAILED', error, failures, failedNodes: 3 }));
    const { data } = JSON.parse(writeBody('standard', event!, 'https://m.example/')) as { data: unknown };
    expect(data).toMatchObject({ error, failures, failed_nodes: 3, url: 'https://m.example/runs/42' });
  });

  it('has one line for each failed node in a chat', () => {
    const [event] = describeRun(runEnd(author, { status: 'FAILED', error, failures, failedNodes: 3 }));
    expect(event?.detail).toBe('grep-1: 3 of 9 failed: exit code 4 (3)\nsort-1: timed out after 1 s\nand 1 more');
  });

  it('contains an error of the run itself, with or without a list of failed nodes', () => {
    const timeout = 'the run exceeded its timeout_seconds';
    expect(describeRun(runEnd(author, { status: 'FAILED', error: timeout, failures }))[0]?.detail).toBe(timeout);
    const [withoutFailures] = describeRun(runEnd(author, { status: 'FAILED', error: 'exit code 1' }));
    expect(withoutFailures).toMatchObject({ detail: 'exit code 1', data: { error: 'exit code 1' } });
    expect(withoutFailures?.data).not.toHaveProperty('failures');
  });
});
