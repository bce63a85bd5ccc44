import { describe, expect, it } from '@jest/globals';
import type { Subjob, SubjobStatus } from '@millrace/sdk/records';
import { plainLines } from './plain-lines.js';
import { RunView, type NodeView, type Retry } from './run-view.js';

it('plain lines tell each change once, and progress now and then', () => {
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

describe('the plain line of a node that failed', () => {
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
    const see = (more: Partial<Subjob>, retries?: Retry[], changeCount = view.changeCount) => {
      view.refresh({ subjobs: [listed(more)], retries: new Map(retries && [['1', retries]]), changeCount });
      presenter.update(view);
    };
    const applyStatus = (status: SubjobStatus) => {
      view.apply(change(status));
      presenter.update(view);
    };
    return { lines, view, see, applyStatus, end: () => presenter.end(view) };
  };

  it('waits for the reason of the last attempt, and never has that of another one', () => {
    const { lines, see, applyStatus } = watch();
    see({});
    applyStatus('RUNNING');
    applyStatus('PENDING');
    see({ attempt: 2, message: 'attempt 1 of 3 failed: exit code 4' }, [first]);
    applyStatus('RUNNING');
    applyStatus('PENDING');
    applyStatus('RUNNING');
    see({ status: 'RUNNING', attempt: 3 }, [first, second]);
    applyStatus('FAILED');
    see({ status: 'FAILED', attempt: 3, message: 'exit code 6: no such host' });
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

  it('comes after the retries before it, also if no list was requested in between', () => {
    const { lines, view, see, applyStatus } = watch();
    see({});
    for (const status of ['RUNNING', 'PENDING', 'RUNNING', 'PENDING', 'RUNNING'] as const) applyStatus(status);
    const { changeCount } = view;
    applyStatus('SUCCEEDED');
    expect(lines).toEqual(['Count  RUNNING', 'a-1 RUNNING']);
    see({ status: 'RUNNING', attempt: 3 }, [first, second], changeCount);
    see({ status: 'SUCCEEDED', attempt: 3 });
    expect(lines.slice(2)).toEqual([
      'a-1 RETRY attempt 1 of 3 failed: exit code 4',
      'a-1 RETRY attempt 2 of 3 lost: the worker ended',
      'a-1 SUCCEEDED 0.0 s',
    ]);
  });

  it('comes without a reason if none can be had by the end', () => {
    const { lines, see, applyStatus, end } = watch();
    see({ status: 'RUNNING' });
    applyStatus('FAILED');
    end();
    expect(lines.at(-1)).toBe('a-1 FAILED');
  });

  it('is followed by what was skipped because of it', () => {
    const { lines, see } = watch();
    see({ status: 'SKIPPED', task_count: 100, message: 'skipped: resolve-1 failed' });
    expect(lines.at(-1)).toBe('a-1 SKIPPED skipped: resolve-1 failed');
  });
});
