import {
  isFinalSubjob,
  type Run,
  type RunStatus,
  type StatusChange,
  type Subjob,
  type SubjobStatus,
} from '@millrace/sdk/records';

/** A node of the run as it is shown. Times in milliseconds since the epoch. */
export interface NodeView {
  id: string;
  node: string;
  label: string;
  status: SubjobStatus;
  message: string | null;
  /** Whether the status came with a change, so that the message is not that of this status. */
  isUnexplained: boolean;
  attempt: number;
  maxAttempts: number;
  startedAt: number | null;
  finishedAt: number | null;
  /** Children of a task group; null where nothing is split, or not yet. */
  children: Children | null;
}

interface Children {
  done: number;
  failed: number;
  skipped: number;
  total: number;
}

interface Settled {
  done: Set<number>;
  failed: number;
  skipped: number;
}

/** What is known of a run: put together from its subjobs, as they are listed, and the changes told since. */
export class RunView {
  status: RunStatus;
  private readonly nodes = new Map<string, NodeView>();
  private readonly settled = new Map<string, Settled>();

  constructor(run: Pick<Run, 'status'>) {
    this.status = run.status;
  }

  /** Nodes in the order of the plan. */
  list(): NodeView[] {
    return [...this.nodes.values()];
  }

  /** Takes in the nodes as the server lists them: what it lists is newer than what was told. */
  refresh(subjobs: Subjob[]): void {
    for (const subjob of subjobs) {
      const settled = this.settled.get(subjob.node);
      this.nodes.set(subjob.id, {
        id: subjob.id,
        node: subjob.node,
        label: subjob.label,
        status: subjob.status,
        message: subjob.message ?? null,
        isUnexplained: false,
        attempt: subjob.attempt,
        // A server of an earlier version does not say it.
        maxAttempts: subjob.max_attempts ?? 1,
        startedAt: toTime(subjob.started_at),
        finishedAt: toTime(subjob.finished_at),
        children: subjob.task_count === undefined ? null : countOf(settled, subjob.task_count),
      });
    }
  }

  /** Takes in a change; gives whether the nodes must be listed anew to show it. */
  apply(change: StatusChange): boolean {
    if (change.subject === 'run') {
      this.status = change.status as RunStatus;
      return false;
    }
    const status = change.status as SubjobStatus;
    if (change.task_index !== undefined && change.task_index > 0) return this.applyChild(change, status);
    const view = this.nodes.get(change.subject);
    if (!view) return true;
    // The list has told the end already; what ended does not begin again.
    if (isFinalSubjob(view.status) && !isFinalSubjob(status)) return false;
    view.status = status;
    view.isUnexplained = status !== 'SUCCEEDED';
    if (status === 'RUNNING') view.startedAt ??= Date.parse(change.at);
    if (isFinalSubjob(status)) {
      view.finishedAt = Date.parse(change.at);
      const settled = this.settled.get(view.node);
      // A group that ends before it was listed as one has told of all its children.
      if (settled) view.children ??= countOf(settled, settled.done.size);
    }
    // The list alone has the number of children, the number of the attempt, and why a node failed or was skipped.
    return status !== 'SUCCEEDED' && status !== 'STOPPING';
  }

  private applyChild(change: StatusChange, status: SubjobStatus): boolean {
    const node = change.node ?? '';
    const settled = this.settled.get(node) ?? { done: new Set<number>(), failed: 0, skipped: 0 };
    this.settled.set(node, settled);
    if (isFinalSubjob(status) && !settled.done.has(change.task_index ?? 0)) {
      settled.done.add(change.task_index ?? 0);
      if (status === 'FAILED') settled.failed += 1;
      if (status === 'SKIPPED') settled.skipped += 1;
    }
    const group = this.list().findLast((view) => view.node === node && view.children !== null);
    if (!group?.children) return true;
    group.children = countOf(settled, group.children.total);
    return false;
  }
}

const countOf = (settled: Settled | undefined, total: number): Children => ({
  done: settled?.done.size ?? 0,
  failed: settled?.failed ?? 0,
  skipped: settled?.skipped ?? 0,
  total,
});

const toTime = (text: string | undefined): number | null => (text === undefined ? null : Date.parse(text));
