import { isFinalSubjob } from '@millrace/client';
import { formatDuration } from '@millrace/contracts/runs/format-duration';
import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import { describeRetry, explainNode } from './describe-node.js';
import type { Presenter } from './follow-run.js';
import type { NodeView, RunView } from './run-view.js';

/** Minimum time between two lines about the progress of one task group. */
const PROGRESS_INTERVAL_MS = 2_000;

/** The state of a node in its last printed line. */
interface PrintedNode {
  status: SubjobStatus;
  retries: number;
  done: number;
  at: number;
}

/** Prints one line for each change of a run, for logs and pipes. */
export function plainLines(
  title: string,
  screen: { write(text: string): unknown },
  now: () => number = Date.now,
): Presenter {
  const printedNodes = new Map<string, PrintedNode>();
  let runStatus = '';
  let isPaused = false;
  let current: RunView | null = null;
  const print = (line: string) => screen.write(`${line}\n`);
  function update(view: RunView, isEnd = false): void {
    current = view;
    if (isPaused && !isEnd) return;
    if (view.status !== runStatus) print(`${title}  ${view.status}`);
    runStatus = view.status;
    for (const node of view.list()) {
      const printed = printedNodes.get(node.id) ?? { status: 'PENDING', retries: 0, done: 0, at: 0 };
      for (const retry of node.retries.slice(printed.retries)) {
        print(describeRetry(node, retry));
        printed.status = 'PENDING';
      }
      printed.retries = node.retries.length;
      printedNodes.set(node.id, printed);
      const done = node.children?.done ?? 0;
      // The next list of the nodes has the reason of this status, and the retries whose lines precede this one.
      const needsList = node.hasUnlistedRetry || (node.isUnexplained && hasReason(node.status));
      if (needsList && !isEnd) continue;
      const hasNewStatus = node.status !== 'PENDING' && node.status !== printed.status;
      const hasProgress =
        node.status === 'RUNNING' && done > printed.done && now() - printed.at >= PROGRESS_INTERVAL_MS;
      if (!hasNewStatus && !hasProgress) continue;
      Object.assign(printed, { status: node.status, done, at: now() });
      print(describe(node));
    }
  }
  return {
    update: (view) => update(view),
    end: (view) => {
      // The cursor is behind the question.
      if (isPaused) print('');
      update(view, true);
    },
    pause: () => {
      isPaused = true;
    },
    resume: () => {
      isPaused = false;
      if (current) update(current);
    },
    note: print,
  };
}

const hasReason = (status: SubjobStatus): boolean => isFinalSubjob(status) && status !== 'SUCCEEDED';

function describe(node: NodeView): string {
  const { children, startedAt, finishedAt, status } = node;
  const progress = children && status !== 'SKIPPED' ? [`${children.done}/${children.total}`] : [];
  const hasEnded = isFinalSubjob(status) && startedAt !== null && finishedAt !== null;
  const duration = hasEnded ? [formatDuration(finishedAt - startedAt)] : [];
  const reason = explainNode(node);
  return ['  ', node.node, status, ...progress, ...duration, ...(reason === null ? [] : [reason])].join(' ');
}
