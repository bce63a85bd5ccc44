import { formatDuration, isFinalSubjob, type SubjobStatus } from '@millrace/sdk/records';
import { describeRetry, explainNode } from './describe-node.js';
import type { Presenter } from './follow-run.js';
import type { NodeView, RunView } from './run-view.js';

/** Between two lines about the progress of one task group. */
const PROGRESS_MS = 2_000;

/** What was printed of a node. */
interface Shown {
  status: SubjobStatus;
  retries: number;
  done: number;
  at: number;
}

/** Writes a line for each change, for logs and pipes. */
export function plainLines(
  title: string,
  screen: { write(text: string): unknown },
  now: () => number = Date.now,
): Presenter {
  const shown = new Map<string, Shown>();
  let runStatus = '';
  const say = (line: string) => screen.write(`${line}\n`);
  function update(view: RunView, isEnd = false): void {
    if (view.status !== runStatus) say(`${title}  ${view.status}`);
    runStatus = view.status;
    for (const node of view.list()) {
      const last = shown.get(node.id) ?? { status: 'PENDING', retries: 0, done: 0, at: 0 };
      for (const retry of node.retries.slice(last.retries)) {
        say(describeRetry(node, retry));
        last.status = 'PENDING';
      }
      last.retries = node.retries.length;
      shown.set(node.id, last);
      const done = node.children?.done ?? 0;
      // The next list of the nodes has the reason, and the retries that come before this line.
      const isWaiting = node.hasUnlistedRetry || (node.isUnexplained && hasReason(node.status));
      if (isWaiting && !isEnd) continue;
      const isNews = node.status !== 'PENDING' && node.status !== last.status;
      const isProgress = node.status === 'RUNNING' && done > last.done && now() - last.at >= PROGRESS_MS;
      if (!isNews && !isProgress) continue;
      Object.assign(last, { status: node.status, done, at: now() });
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
  return ['  ', node.node, status, ...progress, ...time, ...(reason === null ? [] : [reason])].join(' ');
}
