import { describe, expect, it } from '@jest/globals';
import type { Subjob } from '@millrace/client';
import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import { RunView, type Retry } from './run-view.js';

const subjob = (id: string, node: string, more: Partial<Subjob> = {}): Subjob => ({
  id,
  run: '1',
  node,
  label: node,
  status: 'PENDING',
  attempt: 1,
  max_attempts: 1,
  params: {},
  outputs_status: 'NONE',
  cached: false,
  execution_units: 0,
  ...more,
});
const list = (...subjobs: Subjob[]) => ({ subjobs, retries: new Map<string, Retry[]>() });
const AT = '2026-01-01T00:00:00.000Z';
const change = (subject: string, status: SubjobStatus, more: object = {}) => ({ subject, status, at: AT, ...more });
const child = (index: number, status: SubjobStatus) =>
  change(String(100 + index), status, { node: 'sort-1', task_index: index });

describe('the view of a run', () => {
  it('has the status of the run and its nodes after each change', () => {
    const view = new RunView({ status: 'PENDING' });
    view.refresh(list(subjob('1', 'a-1')));
    view.apply({ subject: 'run', status: 'RUNNING', at: AT });
    view.apply(change('1', 'RUNNING', { node: 'a-1' }));
    expect(view.status).toBe('RUNNING');
    expect(view.list()[0]).toMatchObject({ status: 'RUNNING', startedAt: Date.parse(AT), finishedAt: null });
    expect(view.apply(change('1', 'SUCCEEDED', { node: 'a-1' }))).toBe(false);
    expect(view.list()[0]).toMatchObject({ status: 'SUCCEEDED', finishedAt: Date.parse(AT) });
  });

  it('counts each child of a task group once', () => {
    const view = new RunView({ status: 'RUNNING' });
    view.refresh(list(subjob('1', 'sort-1', { status: 'RUNNING', task_count: 3 })));
    for (const one of [child(1, 'RUNNING'), child(1, 'SUCCEEDED'), child(1, 'SUCCEEDED'), child(2, 'FAILED')]) {
      view.apply(one);
    }
    expect(view.list()[0]?.children).toEqual({ done: 2, failed: 1, skipped: 0, total: 3 });
  });

  it('counts children whose changes arrive before their group is listed', () => {
    const view = new RunView({ status: 'RUNNING' });
    expect(view.apply(child(1, 'SUCCEEDED'))).toBe(true);
    view.refresh(list(subjob('1', 'sort-1', { task_count: 2 })));
    expect(view.list()[0]?.children).toEqual({ done: 1, failed: 0, skipped: 0, total: 2 });
  });

  it('counts the children of a group that ends before it is listed as a group', () => {
    const view = new RunView({ status: 'RUNNING' });
    view.refresh(list(subjob('1', 'sort-1')));
    for (const one of [child(1, 'SUCCEEDED'), child(2, 'SUCCEEDED')]) view.apply(one);
    view.apply(change('1', 'SUCCEEDED', { node: 'sort-1' }));
    expect(view.list()[0]?.children).toEqual({ done: 2, failed: 0, skipped: 0, total: 2 });
  });

  it('ignores a change that is older than the list', () => {
    const view = new RunView({ status: 'RUNNING' });
    view.refresh(list(subjob('1', 'a-1', { status: 'SUCCEEDED' })));
    expect(view.apply(change('1', 'RUNNING'))).toBe(false);
    expect(view.list()[0]?.status).toBe('SUCCEEDED');
  });

  it('ignores a status in a list that was requested before a change', () => {
    const view = new RunView({ status: 'RUNNING' });
    view.refresh(list(subjob('1', 'a-1', { status: 'RUNNING' })));
    const { changeCount } = view;
    view.apply(change('1', 'SUCCEEDED'));
    view.refresh({ ...list(subjob('1', 'a-1', { status: 'RUNNING' })), changeCount });
    expect(view.list()[0]).toMatchObject({ status: 'SUCCEEDED', finishedAt: Date.parse(AT) });
  });

  it('requires a new list for an unknown node', () => {
    expect(new RunView({ status: 'RUNNING' }).apply(change('9', 'RUNNING'))).toBe(true);
  });
});
