import { type Run, type RunChange, type Subjob, isFinalRun, isFinalSubjob } from '@millrace/client';
import type { RunStatus, SubjobStatus } from '@millrace/contracts/runs/statuses';

/** The displayed state of a node. Times in milliseconds since the epoch. */
export interface NodeView {
  id: string;
  node: string;
  label: string;
  status: SubjobStatus;
  message: string | null;
  /** Whether the status comes from a change. The message then belongs to an earlier status. */
  isUnexplained: boolean;
  attempt: number;
  maxAttempts: number;
  /** Attempts before the current one, in order. */
  retries: Retry[];
  /** Whether a change reported a retry that is missing in the list of the nodes. */
  hasUnlistedRetry: boolean;
  startedAt: number | null;
  finishedAt: number | null;
  /** Children of a task group; null if the node has none, or none yet. */
  children: Children | null;
}

/** An attempt that failed, or whose worker was lost, and that was retried. */
export interface Retry {
  attempt: number;
  isLost: boolean;
  message: string | null;
}

/** The list of the nodes from the server. */
export interface NodeList {
  subjobs: Subjob[];
  /** Retries by subjob, for the subjobs with new retries. */
  retries: ReadonlyMap<string, Retry[]>;
  /** `RunView.changeCount` at the request for the list; absent if the view has not changed since. */
  changeCount?: number;
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

/** The state of a run, from lists of its nodes and the changes after them. */
export class RunView {
  status: RunStatus;
  private readonly nodes = new Map<string, NodeView>();
  private readonly settled = new Map<string, Settled>();
  private changes = 0;
  /** By node, the number of its last change, and of its last change that reported a retry. */
  private readonly changedAt = new Map<string, number>();
  private readonly retriedAt = new Map<string, number>();

  constructor(run: Pick<Run, 'status'>) {
    this.status = run.status;
  }

  /** The nodes in the order of the plan. */
  list(): NodeView[] {
    return [...this.nodes.values()];
  }

  /** The number of changes so far. A list contains this number at the time of its request. */
  get changeCount(): number {
    return this.changes;
  }

  /** Whether the retries of a listed node must be fetched, because its record has only the last reason. */
  needsRetries({ id, attempt, task_count: count }: Subjob): boolean {
    return count === undefined && attempt - 1 > (this.nodes.get(id)?.retries.length ?? 0);
  }

  /** Applies a list of the nodes. Changes after the request for the list take precedence over it. */
  refresh({ subjobs, retries, changeCount = this.changes }: NodeList): void {
    for (const subjob of subjobs) {
      const previous = this.nodes.get(subjob.id);
      const settled = this.settled.get(subjob.node);
      const listed: NodeView = {
        id: subjob.id,
        node: subjob.node,
        label: subjob.label,
        status: subjob.status,
        message: subjob.message ?? null,
        isUnexplained: false,
        attempt: subjob.attempt,
        // A server of an earlier version does not send it.
        maxAttempts: subjob.max_attempts ?? 1,
        retries: retries.get(subjob.id) ?? previous?.retries ?? [],
        hasUnlistedRetry: (this.retriedAt.get(subjob.id) ?? 0) > changeCount,
        startedAt: toTime(subjob.started_at),
        finishedAt: toTime(subjob.finished_at),
        children: subjob.task_count === undefined ? null : this.countListed(settled, subjob.status, subjob.task_count),
      };
      const isOutdated = previous !== undefined && (this.changedAt.get(subjob.id) ?? 0) > changeCount;
      this.nodes.set(subjob.id, isOutdated ? { ...listed, ...pickChanges(previous) } : listed);
    }
  }

  /** Applies a change. Returns whether the nodes must be listed again to show it. */
  apply(change: RunChange): boolean {
    this.changes += 1;
    if (change.subject === 'run') {
      this.status = change.status as RunStatus;
      return false;
    }
    const status = change.status as SubjobStatus;
    if (change.task_index !== undefined && change.task_index > 0) return this.applyChild(change, status);
    const view = this.nodes.get(change.subject);
    if (!view) return true;
    // The list already contained the end of the node, so this change is older.
    if (isFinalSubjob(view.status) && !isFinalSubjob(status)) return false;
    this.changedAt.set(view.id, this.changes);
    if (status === 'PENDING') {
      this.retriedAt.set(view.id, this.changes);
      view.hasUnlistedRetry = true;
    }
    view.status = status;
    view.isUnexplained = status !== 'SUCCEEDED';
    if (status === 'RUNNING') view.startedAt ??= Date.parse(change.at);
    if (isFinalSubjob(status)) {
      view.finishedAt = Date.parse(change.at);
      const settled = this.settled.get(view.node);
      // The changes of all children arrive before the end of their group.
      if (settled) view.children ??= countChildren(settled, settled.done.size);
    }
    // Only the list contains the number of children, the number of the attempt, and the reason of a failure or a skip.
    return status !== 'SUCCEEDED' && status !== 'STOPPING';
  }

  /** The changes of a run that had ended before it was watched are not followed: all children of its groups have ended. */
  private countListed(settled: Settled | undefined, status: SubjobStatus, total: number): Children {
    const hasEnded = settled === undefined && isFinalRun(this.status) && isFinalSubjob(status);
    return hasEnded ? { done: total, failed: 0, skipped: 0, total } : countChildren(settled, total);
  }

  private applyChild(change: RunChange, status: SubjobStatus): boolean {
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
    group.children = countChildren(settled, group.children.total);
    return false;
  }
}

/** The fields of a node that a change sets. */
const pickChanges = ({ status, isUnexplained, startedAt, finishedAt }: NodeView) => ({
  ...{ status, isUnexplained, startedAt, finishedAt },
});

const countChildren = (settled: Settled | undefined, total: number): Children => ({
  done: settled?.done.size ?? 0,
  failed: settled?.failed ?? 0,
  skipped: settled?.skipped ?? 0,
  total,
});

const toTime = (text: string | undefined): number | null => (text === undefined ? null : Date.parse(text));
