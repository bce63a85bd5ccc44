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
  /** Attempts before the present one, in order. */
  retries: Retry[];
  /** Whether a change reports a retry that the list of nodes does not have yet. */
  hasUnlistedRetry: boolean;
  startedAt: number | null;
  finishedAt: number | null;
  /** Children of a task group; null where nothing is split, or not yet. */
  children: Children | null;
}

/** An attempt that another one followed: it failed, or its worker was lost. */
export interface Retry {
  attempt: number;
  isLost: boolean;
  message: string | null;
}

/** The nodes as the server lists them. */
export interface NodeList {
  subjobs: Subjob[];
  /** By subjob, the retries of each node that has new ones. */
  retries: ReadonlyMap<string, Retry[]>;
  /** `RunView.changeCount` when the list was requested; absent if no change has come since. */
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

/** The state of a run, from the lists of its nodes and the changes since. */
export class RunView {
  status: RunStatus;
  private readonly nodes = new Map<string, NodeView>();
  private readonly settled = new Map<string, Settled>();
  private changes = 0;
  /** By node, the number of its last change, and of the last one that reported a retry. */
  private readonly changedAt = new Map<string, number>();
  private readonly retriedAt = new Map<string, number>();

  constructor(run: Pick<Run, 'status'>) {
    this.status = run.status;
  }

  /** Nodes in the order of the plan. */
  list(): NodeView[] {
    return [...this.nodes.values()];
  }

  /** The number of changes so far, to be noted when a list is requested. */
  get changeCount(): number {
    return this.changes;
  }

  /** Whether the retries of a listed node must be fetched, because the record has only the last reason. */
  needsRetries({ id, attempt, task_count: count }: Subjob): boolean {
    return count === undefined && attempt - 1 > (this.nodes.get(id)?.retries.length ?? 0);
  }

  /** Takes in a list of the nodes. What changed after its request stays as the change reported it. */
  refresh({ subjobs, retries, changeCount = this.changes }: NodeList): void {
    for (const subjob of subjobs) {
      const known = this.nodes.get(subjob.id);
      const settled = this.settled.get(subjob.node);
      const listed: NodeView = {
        id: subjob.id,
        node: subjob.node,
        label: subjob.label,
        status: subjob.status,
        message: subjob.message ?? null,
        isUnexplained: false,
        attempt: subjob.attempt,
        // A server of an earlier version does not say it.
        maxAttempts: subjob.max_attempts ?? 1,
        retries: retries.get(subjob.id) ?? known?.retries ?? [],
        hasUnlistedRetry: (this.retriedAt.get(subjob.id) ?? 0) > changeCount,
        startedAt: toTime(subjob.started_at),
        finishedAt: toTime(subjob.finished_at),
        children: subjob.task_count === undefined ? null : countOf(settled, subjob.task_count),
      };
      const isOutdated = known !== undefined && (this.changedAt.get(subjob.id) ?? 0) > changeCount;
      this.nodes.set(subjob.id, isOutdated ? { ...listed, ...changedIn(known) } : listed);
    }
  }

  /** Applies a change. Returns whether the nodes must be listed again to show it. */
  apply(change: StatusChange): boolean {
    this.changes += 1;
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

/** What a change reports of a node. */
const changedIn = ({ status, isUnexplained, startedAt, finishedAt }: NodeView) => ({
  ...{ status, isUnexplained, startedAt, finishedAt },
});

const countOf = (settled: Settled | undefined, total: number): Children => ({
  done: settled?.done.size ?? 0,
  failed: settled?.failed ?? 0,
  skipped: settled?.skipped ?? 0,
  total,
});

const toTime = (text: string | undefined): number | null => (text === undefined ? null : Date.parse(text));
