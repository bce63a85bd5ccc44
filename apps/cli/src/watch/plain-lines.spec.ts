import { expect, it } from '@jest/globals';
import { plainLines } from './plain-lines.js';
import type { NodeView, RunView } from './run-view.js';

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
    startedAt: 0,
    finishedAt: null,
    children: { done: 0, failed: 0, total: 9 },
  };
  const view = { status: 'RUNNING', list: () => [node] } as unknown as RunView;
  presenter.update(view);
  presenter.update(view);
  node.children = { done: 1, failed: 0, total: 9 };
  now = 1_000;
  presenter.update(view);
  node.children = { done: 5, failed: 0, total: 9 };
  now = 2_500;
  presenter.update(view);
  Object.assign(node, { status: 'SUCCEEDED', finishedAt: 3_000, children: { done: 9, failed: 0, total: 9 } });
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
