import { formatDuration, isFinalSubjob, type SubjobStatus } from '@millrace/sdk/records';
import type { Presenter } from './presenter.js';
import type { NodeView, RunView } from './run-view.js';

/** Between two lines about the progress of one task group. */
const PROGRESS_MS = 2_000;

/** Writes a line for each change, for logs and pipes. */
export function plainLines(
  title: string,
  screen: { write(text: string): unknown },
  now: () => number = Date.now,
): Presenter {
  const shown = new Map<string, { status: SubjobStatus; done: number; at: number }>();
  let runStatus = '';
  const say = (line: string) => screen.write(`${line}\n`);
  function update(view: RunView): void {
    if (view.status !== runStatus) say(`${title}  ${view.status}`);
    runStatus = view.status;
    for (const node of view.list()) {
      const last = shown.get(node.id);
      const done = node.children?.done ?? 0;
      const isNews = last?.status !== node.status && node.status !== 'PENDING';
      const isProgress =
        node.status === 'RUNNING' && done > (last?.done ?? 0) && now() - (last?.at ?? 0) >= PROGRESS_MS;
      if (!isNews && !isProgress) continue;
      shown.set(node.id, { status: node.status, done, at: now() });
      say(describe(node));
    }
  }
  return { update, end: update, note: say };
}

function describe(node: NodeView): string {
  const { children, startedAt, finishedAt, status } = node;
  const progress = children ? [`${children.done}/${children.total}`] : [];
  const ended = isFinalSubjob(status) && startedAt !== null && finishedAt !== null;
  const time = ended ? [formatDuration(finishedAt - startedAt)] : [];
  const message = status === 'FAILED' && node.message ? [node.message] : [];
  return ['  ', node.node, status, ...progress, ...time, ...message].join(' ');
}
