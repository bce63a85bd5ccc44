import { formatDuration, isFinalSubjob, type SubjobStatus } from '@millrace/sdk/records';
import { explainNode } from './explain-node.js';
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
  const shown = new Map<string, { status: SubjobStatus; attempt: number; done: number; at: number }>();
  let runStatus = '';
  const say = (line: string) => screen.write(`${line}\n`);
  function update(view: RunView, isEnd = false): void {
    if (view.status !== runStatus) say(`${title}  ${view.status}`);
    runStatus = view.status;
    for (const node of view.list()) {
      const last = shown.get(node.id);
      const done = node.children?.done ?? 0;
      // Its reason comes with the next list of the nodes, and the line waits for it.
      if (node.isUnexplained && hasReason(node.status) && !isEnd) continue;
      const isRetried = node.status === 'PENDING' && node.attempt > (last?.attempt ?? 1);
      const isNews = node.status === 'PENDING' ? isRetried : last?.status !== node.status;
      const isProgress =
        node.status === 'RUNNING' && done > (last?.done ?? 0) && now() - (last?.at ?? 0) >= PROGRESS_MS;
      if (!isNews && !isProgress) continue;
      shown.set(node.id, { status: node.status, attempt: node.attempt, done, at: now() });
      say(describe(node));
    }
  }
  return { update: (view) => update(view), end: (view) => update(view, true), note: say };
}

const hasReason = (status: SubjobStatus): boolean => isFinalSubjob(status) && status !== 'SUCCEEDED';

function describe(node: NodeView): string {
  const { children, startedAt, finishedAt, status } = node;
  const progress = children && status !== 'SKIPPED' ? [`${children.done}/${children.total}`] : [];
  const ended = isFinalSubjob(status) && startedAt !== null && finishedAt !== null;
  const time = ended ? [formatDuration(finishedAt - startedAt)] : [];
  const reason = explainNode(node);
  const shown = status === 'PENDING' ? 'RETRY' : status;
  return ['  ', node.node, shown, ...progress, ...time, ...(reason === null ? [] : [reason])].join(' ');
}
