import { describe, expect, it } from '@jest/globals';
import type { Subjob } from '@millrace/client';
import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import { plainLines } from './plain-lines.js';
import { RunView, type NodeView, type Retry } from './run-view.js';

it('plain lines show each change once, and progress at most every two seconds', () => {
  let text = '';
  let now = 0;
  const presenter = plainLines('Count', { write: (part: string) => (text += part) }, () => now);
  const node: NodeView = {
    id: '1',
    node: 'sort-1',
    label: 'sort',
    status: 'RUNNING',
    message: null,
    isUnexplained: false,
    attempt: 1,
    maxAttempts: 1,
    retries: [],
    hasUnlistedRetry: false,
    startedAt: 0,
    finishedAt: null,
    children: { done: 0, failed: 0, skipped: 0, total: 9 },
  };
  const view = { status: 'RUNNING', list: () => [node] } as unknown as RunView;
  presenter.update(view);
  presenter.update(view);
  node.children = { done: 1, failed: 0, skipped: 0, total: 9 };
  now = 1_000;
  presenter.update(view);
  node.children = { done: 5, failed: 0, skipped: 0, total: 9 };
  now = 2_500;
  presenter.update(view);
  Object.assign(node, {
    status: 'SUCCEEDED',
    finishedAt: 3_000,
    children: { done: 9, failed: 0, skipped: 0, total: 9 },
  });
  view.status = 'COMPLETED';
  presenter.end(view);
  expect(text.split('\n')).toEqual([
    'Count  RUNNING',
    '   sort-1 RUNNING 0/9',
    '   sort-1 RUNNING 5/9',
    'Count  COMPLETED',
    '   sort-1 SUCCEEDED 9/9 3.0 s',
    '',
  ]);
});

describe('the plain line of a failed node', () => {
  const first: Retry = { attempt: 1, isLost: false, message: 'exit code 4' };
  const second: Retry = { attempt: 2, isLost: true, message: 'the worker ended\nmore' };
  const listed = (more: Partial<Subjob>): Subjob => ({
    ...{ id: '1', run: '1', node: 'a-1', label: 'a', status: 'PENDING', attempt: 1, max_attempts: 3, params: {} },
    ...{ outputs_status: 'NONE', cached: false, execution_units: 0 },
    ...more,
  });
  const change = (status: SubjobStatus) => ({ subject: '1', node: 'a-1', status, at: '2026-01-01T00:00:00.000Z' });
  const watch = () => {
    const view = new RunView({ status: 'RUNNING' });
    const lines: string[] = [];
    const presenter = plainLines('Count', { write: (part: string) => lines.push(part.trim()) }, () => 0);
    const refresh = (more: Partial<Subjob>, retries?: Retry[], changeCount = view.changeCount) => {
      view.refresh({ subjobs: [listed(more)], retries: new Map(retries && [['1', retries]]), changeCount });
      presenter.update(view);
    };
    const applyStatus = (status: SubjobStatus) => {
      view.apply(change(status));
      presenter.update(view);
    };
    return { lines, view, refresh, applyStatus, end: () => presenter.end(view) };
  };

  it('has the reason of the last attempt, and none of an earlier attempt', () => {
    const { lines, refresh, applyStatus } = watch();
    refresh({});
    applyStatus('RUNNING');
    applyStatus('PENDING');
    refresh({ attempt: 2, message: 'attempt 1 of 3 failed: exit code 4' }, [first]);
    applyStatus('RUNNING');
    applyStatus('PENDING');
    applyStatus('RUNNING');
    refresh({ status: 'RUNNING', attempt: 3 }, [first, second]);
    applyStatus('FAILED');
    refresh({ status: 'FAILED', attempt: 3, message: 'exit code 6: no such host' });
    expect(lines).toEqual([
      'Count  RUNNING',
      'a-1 RUNNING',
      'a-1 RETRY attempt 1 of 3 failed: exit code 4',
      'a-1 RUNNING',
      'a-1 RETRY attempt 2 of 3 lost: the worker ended',
      'a-1 RUNNING',
      'a-1 FAILED attempt 3 of 3: exit code 6: no such host',
    ]);
  });

  it('follows the lines of its retries, even if no list was requested between them', () => {
    const { lines, view, refresh, applyStatus } = watch();
    refresh({});
    for (const status of ['RUNNING', 'PENDING', 'RUNNING', 'PENDING', 'RUNNING'] as const) applyStatus(status);
    const { changeCount } = view;
    applyStatus('SUCCEEDED');
    expect(lines).toEqual(['Count  RUNNING', 'a-1 RUNNING']);
    refresh({ status: 'RUNNING', attempt: 3 }, [first, second], changeCount);
    refresh({ status: 'SUCCEEDED', attempt: 3 });
    expect(lines.slice(2)).toEqual([
      'a-1 RETRY attempt 1 of 3 failed: exit code 4',
      'a-1 RETRY attempt 2 of 3 lost: the worker ended',
      'a-1 SUCCEEDED 0.0 s',
    ]);
  });

  it('has no reason if the view does not have it at the end of the run', () => {
    const { lines, refresh, applyStatus, end } = watch();
    refresh({ status: 'RUNNING' });
    applyStatus('FAILED');
    end();
    expect(lines.at(-1)).toBe('a-1 FAILED');
  });

  it('has the reason of a skipped node', () => {
    const { lines, refresh } = watch();
    refresh({ status: 'SKIPPED', task_count: 100, message: 'skipped: resolve-1 failed' });
    expect(lines.at(-1)).toBe('a-1 SKIPPED skipped: resolve-1 failed');
  });
});
