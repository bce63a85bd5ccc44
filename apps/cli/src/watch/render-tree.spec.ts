import { describe, expect, it } from '@jest/globals';
import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import { renderTree } from './render-tree.js';
import type { NodeView, RunView } from './run-view.js';

const node = (name: string, status: SubjobStatus, more: Partial<NodeView> = {}): NodeView => ({
  id: name,
  node: name,
  label: name.split('/').at(-1)?.replace(/-\d+$/, '') ?? '',
  status,
  message: null,
  isUnexplained: false,
  attempt: 1,
  maxAttempts: 1,
  retries: [],
  hasUnlistedRetry: false,
  startedAt: null,
  finishedAt: null,
  children: null,
  ...more,
});
const render = (nodes: NodeView[], size = { lines: 50, columns: 100 }) =>
  renderTree('Count', { status: 'RUNNING', list: () => nodes } as unknown as RunView, 10_000, size).split('\n');

describe('the tree of a run', () => {
  it('shows the status, the progress and the duration of each node', () => {
    const lines = render([
      node('split-1', 'SUCCEEDED', { startedAt: 1_000, finishedAt: 1_400 }),
      node('count-1', 'RUNNING', {
        label: 'counts',
        startedAt: 5_000,
        children: { done: 7, failed: 1, skipped: 0, total: 10 },
      }),
      node('merge-1', 'PENDING'),
    ]);
    expect(lines).toEqual([
      'Count  RUNNING',
      '  ✔ split-1                                        0.4 s',
      '  ▸ count-1 "counts"         7/10  ███████░░░      5.0 s  1 failed',
      '  · merge-1',
    ]);
  });

  it('has no space for bars if no node has children', () => {
    expect(render([node('a-1', 'SUCCEEDED', { startedAt: 1_000, finishedAt: 1_400 })])[1]).toBe(
      '  ✔ a-1                   0.4 s',
    );
  });

  it('fills the bar of a task group only when all children have ended', () => {
    const barOf = (done: number) =>
      render([node('a-1', 'RUNNING', { children: { done, failed: 0, skipped: 0, total: 1000 } })])[1]?.match(
        /[█░]+/,
      )?.[0];
    expect([0, 99, 100, 999, 1000].map(barOf)).toEqual([
      '░░░░░░░░░░',
      '░░░░░░░░░░',
      '█░░░░░░░░░',
      '█████████░',
      '██████████',
    ]);
  });

  it('shows the nodes of a module together below the module', () => {
    const lines = render([
      node('a-1', 'PENDING'),
      node('m-1/x-1', 'PENDING'),
      node('b-1', 'PENDING'),
      node('m-1/n-1/y-1', 'PENDING'),
    ]);
    expect(lines.slice(1)).toEqual(['  · a-1', '  m-1/', '    · x-1', '    n-1/', '      · y-1', '  · b-1']);
  });

  it('shows why a node failed', () => {
    expect(render([node('a-1', 'FAILED', { message: 'exit code 2\nmore' })])[1]).toMatch(/✘ a-1 .*exit code 2$/);
  });

  it('shows why a node was skipped instead of its number of children', () => {
    const children = { done: 100, failed: 0, skipped: 100, total: 100 };
    expect(render([node('a-1', 'SKIPPED', { message: 'skipped: b-1 failed', children })])[1]).toMatch(
      /– a-1 +skipped: b-1 failed$/,
    );
  });

  it('omits succeeded nodes if the terminal has too few lines', () => {
    const nodes = Array.from({ length: 30 }, (_, index) => node(`n-${index}`, index < 25 ? 'SUCCEEDED' : 'RUNNING'));
    const lines = render(nodes, { lines: 12, columns: 100 });
    expect(lines).toHaveLength(11);
    expect(lines.at(-1)).toBe('    … and 21 more');
    expect(lines.filter((line) => line.includes('▸'))).toHaveLength(5);
  });

  it('is no wider than the terminal', () => {
    expect(
      Math.max(...render([node('x'.repeat(200), 'RUNNING')], { lines: 9, columns: 40 }).map((l) => l.length)),
    ).toBe(40);
  });
});
