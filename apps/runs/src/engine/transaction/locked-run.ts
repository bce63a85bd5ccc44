import type { StatusChange } from '@millrace/contracts/runs/runs';
import { isFinalSubjob, type RunStatus, type SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { Transaction } from '@millrace/persistence/database';
import { Prisma, type Run } from '@millrace/persistence/generated/client';
import type { PlanIndex } from '../plans/plan-index.js';
import type { PlanStore } from '../plans/plan-store.js';

export const COUNTED = {
  PENDING: 'pending',
  RUNNING: 'running',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  STOPPING: 'stopping',
  STOPPED: 'stopped',
  SKIPPED: 'skipped',
} as const satisfies Record<SubjobStatus, string>;

export type Count = (typeof COUNTED)[SubjobStatus];

interface Moved {
  id: bigint;
  step: number;
  task: number;
  /** Children of a task group; absent of what cannot be one. */
  taskCount?: number | null;
}

/** A task group that has children is not counted: they are, in its place. */
const isCounted = ({ task, taskCount }: Moved): boolean => task > 0 || (taskCount ?? 0) === 0;

/** A run as it was when it was locked; `dispatches` are those that it was found by. */
export type RunRow = Omit<Run, 'shownInputs'> & { dispatches?: bigint[] };

/**
 * A run that this transaction holds, and what is to be written of it at the end: statuses, counts, told changes. All
 * that changes a run goes through one of these, so that no two transactions ever see the same run half way.
 */
export class LockedRun {
  readonly changes: StatusChange[] = [];
  readonly moved: Record<Count, number> = {
    pending: 0,
    running: 0,
    succeeded: 0,
    failed: 0,
    stopping: 0,
    stopped: 0,
    skipped: 0,
  };
  status: RunStatus;
  error: string | null;
  /** Who stopped it, or something of it. */
  stoppedBy: string | null;
  openSegments: number;
  /** What attempts that ended in this transaction have cost. */
  units = 0;
  startedAt: Date | null;
  finishedAt: Date | null;

  constructor(
    readonly row: RunRow,
    readonly plan: PlanIndex,
    readonly now: Date,
  ) {
    this.status = row.status as RunStatus;
    this.error = row.error;
    this.stoppedBy = row.stoppedBy;
    this.openSegments = row.openSegments;
    this.startedAt = row.startedAt;
    this.finishedAt = row.finishedAt;
  }

  get id(): bigint {
    return this.row.id;
  }

  /** Nothing new is begun any more: it is stopping, or its time is up. */
  get isEnding(): boolean {
    return this.status === 'STOPPING' || this.finishedAt !== null;
  }

  /** How many subjobs have a status now; see `run_insights` in the contract. */
  count(count: Count): number {
    return this.row[count] + this.moved[count];
  }

  /** Notes that a subjob went from one status to another. */
  move(subjob: Moved, from: SubjobStatus, to: SubjobStatus, at = this.now): void {
    if (isCounted(subjob)) {
      this.moved[COUNTED[from]]--;
      this.moved[COUNTED[to]]++;
    }
    const { node } = this.plan.step(subjob.step);
    this.changes.push({
      subject: String(subjob.id),
      node,
      ...(subjob.task > 0 && { task_index: subjob.task }),
      status: to,
      at: at.toISOString(),
    });
    if (to === 'RUNNING' || (isFinalSubjob(to) && to !== 'SKIPPED' && to !== 'STOPPED')) this.begin(at);
  }

  /** Notes that children take the place of their task groups. New children are PENDING and not announced one by one. */
  split(groups: readonly { status: SubjobStatus }[], children: number): void {
    for (const { status } of groups) this.moved[COUNTED[status]]--;
    this.moved.pending += children;
  }

  setStatus(status: RunStatus): void {
    if (this.status === status) return;
    this.status = status;
    this.changes.push({ subject: 'run', status, at: this.now.toISOString() });
  }

  private begin(at: Date): void {
    this.startedAt ??= at;
    if (this.status === 'PENDING' || this.status === 'SUBMITTED') this.setStatus('RUNNING');
  }
}

/** What a `RunRow` is read from. */
export const runColumns = Prisma.sql`
  id, vault_id AS "vaultId", name, status, partial, creation_type AS "creationType", workflow_id AS "workflowId",
  workflow_name AS "workflowName", version_id AS "versionId", space_id AS "spaceId", space_name AS "spaceName",
  project_id AS "projectId", project_name AS "projectName", author, parent_run AS "parentRun", origin,
  schedule_id AS "scheduleId", fetching, refetches, plan, inputs, parallelism, use_cache AS "useCache", error, deadline, stopped_by AS "stoppedBy",
  change_seq AS "changeSeq", open_segments AS "openSegments", pending, running, succeeded, failed, stopping, stopped,
  skipped, execution_units AS "executionUnits", created_at AS "createdAt", started_at AS "startedAt", finished_at AS "finishedAt"`;

/**
 * Locks runs for the rest of the transaction, always in the order of their ids so that no two transactions wait for
 * each other in a circle. Runs that do not exist are left out.
 */
export function lockRuns(tx: Transaction, plans: PlanStore, ids: bigint[]): Promise<Map<bigint, LockedRun>> {
  return lock(tx, plans, Prisma.sql`id = ANY(${ids.map(String)}::bigint[])`);
}

/** Locks the runs that these dispatches belong to, and tells which is whose. A dispatch never changes its run. */
export async function lockRunsOf(
  tx: Transaction,
  plans: PlanStore,
  dispatches: bigint[],
): Promise<{ runs: Map<bigint, LockedRun>; runOf: Map<string, LockedRun> }> {
  const ids = Prisma.sql`${dispatches.map(String)}::bigint[]`;
  const runs = await lock(
    tx,
    plans,
    Prisma.sql`id IN (SELECT run_id FROM runs.dispatch WHERE id = ANY(${ids}))`,
    Prisma.sql`, (SELECT array_agg(d.id) FROM runs.dispatch d WHERE d.run_id = run.id AND d.id = ANY(${ids})) AS dispatches`,
  );
  const runOf = [...runs.values()].flatMap((run) => run.row.dispatches?.map((id) => [String(id), run] as const) ?? []);
  return { runs, runOf: new Map(runOf) };
}

async function lock(
  tx: Transaction,
  plans: PlanStore,
  where: Prisma.Sql,
  more = Prisma.empty,
): Promise<Map<bigint, LockedRun>> {
  const rows = await tx.$queryRaw<RunRow[]>`
    SELECT ${runColumns}${more}
    FROM runs.run WHERE ${where} ORDER BY id FOR UPDATE`;
  const now = new Date();
  const locked = await Promise.all(rows.map(async (row) => new LockedRun(row, await plans.load(row.plan), now)));
  return new Map(locked.map((run) => [run.id, run]));
}
