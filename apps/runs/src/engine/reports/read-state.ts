import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { Transaction } from '@millrace/persistence/database';
import type { Dispatch, Subjob, Task } from '@millrace/persistence/generated/client';
import { SUBJOB_COLUMNS, TASK_COLUMNS } from '../rows/table-columns.js';

/** The part of a dispatch that reports need. */
export type ReportedDispatch = Pick<Dispatch, 'id' | 'runId' | 'segment' | 'worker' | 'changedSteps'> & {
  /** Time since it was dispatched, until it was read. The transaction may have waited long for its run before. */
  waitedSeconds: number;
};

/** The part of a subjob that reports need. */
export type ReportedSubjob = Pick<Subjob, 'id' | 'runId' | 'step' | 'task' | 'attempt' | 'taskCount'> & {
  status: SubjobStatus;
};

export type SubjobKey = Pick<ReportedSubjob, 'runId' | 'step' | 'task'>;

/** What a vault may store, and what it stores, in bytes. */
export interface VaultQuota {
  vault: string;
  quota: number;
  used: number;
}

export interface ReportedState {
  dispatches: ReportedDispatch[];
  /** Tasks of the dispatches. */
  tasks: Task[];
  subjobs: ReportedSubjob[];
  /** Of the vaults that have a limit. */
  quotas: VaultQuota[];
}

/** A row as JSON, in which 64-bit ids are text. */
interface Row {
  dispatch: (Omit<ReportedDispatch, 'id' | 'runId'> & { id: string; runId: string }) | null;
  task: Omit<Task, 'runId' | 'dispatch'> | null;
  subjob: (Omit<ReportedSubjob, 'id' | 'runId'> & { id: string; runId: string }) | null;
  quota: VaultQuota | null;
}

const taskFields = TASK_COLUMNS.jsonFields(TASK_COLUMNS.except('runId', 'dispatch'), 't');
const subjobFields = SUBJOB_COLUMNS.jsonFields(
  ['id', 'runId', 'step', 'task', 'status', 'attempt', 'taskCount'] satisfies (keyof ReportedSubjob)[],
  's',
);

/**
 * Reads everything that reports are checked against, in one round trip. The runs must be locked: then no other transaction
 * changes it.
 * @param quota bytes that each vault may store for which an administrator has set no other limit; null means no limit
 */
export async function readState(
  tx: Transaction,
  {
    dispatches,
    subjobs,
    vaults,
    quota,
  }: { dispatches: bigint[]; subjobs: readonly SubjobKey[]; vaults: readonly string[]; quota: number | null },
): Promise<ReportedState> {
  const rows = await tx.$queryRaw<Row[]>`
    SELECT jsonb_build_object('id', d.id::text, 'runId', d.run_id::text, 'segment', d.segment, 'worker', d.worker,
        'changedSteps', to_jsonb(d.changed_steps), 'waitedSeconds', extract(epoch FROM clock_timestamp() - d.created_at)) AS dispatch,
      CASE WHEN t.run_id IS NOT NULL THEN jsonb_build_object(${taskFields}) END AS task,
      NULL::jsonb AS subjob, NULL::jsonb AS quota
    FROM runs.dispatch d LEFT JOIN runs.task t ON t.dispatch = d.id WHERE d.id = ANY(${dispatches.map(String)}::bigint[])
    UNION ALL
    SELECT NULL, NULL, jsonb_build_object(${subjobFields}), NULL
    FROM (SELECT DISTINCT * FROM unnest(${subjobs.map(({ runId }) => String(runId))}::bigint[],
      ${subjobs.map(({ step }) => step)}::int[], ${subjobs.map(({ task }) => task)}::int[]) AS w(run, step, task)) w
    JOIN runs.subjob s ON s.run_id = w.run AND s.step = w.step AND s.task = w.task
    UNION ALL
    SELECT NULL, NULL, NULL, jsonb_build_object('vault', v, 'quota', limited.quota,
      'used', runs.stored_bytes_of(v) + workflows.file_bytes_of(v))
    FROM unnest(${vaults}::uuid[]) AS v, LATERAL (SELECT coalesce(
      (SELECT storage_bytes FROM runs.vault_override WHERE vault_id = v), ${quota}::bigint) AS quota) limited
    WHERE limited.quota IS NOT NULL`;
  return toState(rows);
}

function toState(rows: Row[]): ReportedState {
  const dispatches = new Map<string, ReportedDispatch>();
  const tasks: Task[] = [];
  const subjobs: ReportedSubjob[] = [];
  const quotas: VaultQuota[] = [];
  for (const { dispatch, task, subjob, quota } of rows) {
    if (quota) quotas.push(quota);
    if (subjob) subjobs.push({ ...subjob, id: BigInt(subjob.id), runId: BigInt(subjob.runId) });
    if (!dispatch) continue;
    const [id, runId] = [BigInt(dispatch.id), BigInt(dispatch.runId)];
    dispatches.set(dispatch.id, { ...dispatch, id, runId });
    if (task) tasks.push({ ...task, runId, dispatch: id });
  }
  return { dispatches: [...dispatches.values()], tasks, subjobs, quotas };
}
