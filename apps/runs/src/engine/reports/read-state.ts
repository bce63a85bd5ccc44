import type { Transaction } from '@millrace/persistence/database';
import type { Dispatch as DispatchRow, Task } from '@millrace/persistence/generated/client';
import type { OpenSubjob } from './subjob-writes.js';

/** What is read of a dispatch. */
export type Dispatch = Pick<DispatchRow, 'id' | 'runId' | 'segment' | 'worker'>;

export interface EngineState {
  dispatches: Dispatch[];
  /** Those that are out with the dispatches. */
  tasks: Task[];
  subjobs: OpenSubjob[];
}

/** As JSON, where 64-bit ids travel as text. */
interface Row {
  dispatch: { id: string; runId: string; segment: number; worker: string | null } | null;
  task: Omit<Task, 'runId' | 'dispatch'> | null;
  subjob: (Omit<OpenSubjob, 'id' | 'run'> & { id: string; run: string }) | null;
}

/** Reads all that reports are held against, in one round trip. Only once the runs are locked: then nobody else changes it. */
export async function readState(
  tx: Transaction,
  dispatches: bigint[],
  subjobs: Pick<OpenSubjob, 'run' | 'step' | 'task'>[],
): Promise<EngineState> {
  const rows = await tx.$queryRaw<Row[]>`
    SELECT jsonb_build_object('id', d.id::text, 'runId', d.run_id::text, 'segment', d.segment, 'worker', d.worker) AS dispatch,
      CASE WHEN t.run_id IS NOT NULL THEN jsonb_build_object('segment', t.segment, 'index', t.index, 'state', t.state,
        'attempt', t.attempt, 'failures', t.failures, 'losses', t.losses, 'notBefore', t.not_before) END AS task,
      NULL AS subjob
    FROM runs.dispatch d LEFT JOIN runs.task t ON t.dispatch = d.id WHERE d.id = ANY(${dispatches.map(String)}::bigint[])
    UNION ALL
    SELECT NULL, NULL,
      jsonb_build_object('id', s.id::text, 'run', s.run_id::text, 'step', s.step, 'task', s.task, 'status', s.status,
        'attempt', s.attempt, 'taskCount', s.task_count)
    FROM (SELECT DISTINCT * FROM unnest(${subjobs.map(({ run }) => String(run))}::bigint[],
      ${subjobs.map(({ step }) => step)}::int[], ${subjobs.map(({ task }) => task)}::int[]) AS w(run, step, task)) w
    JOIN runs.subjob s ON s.run_id = w.run AND s.step = w.step AND s.task = w.task`;
  return sort(rows);
}

function sort(rows: Row[]): EngineState {
  const found = new Map<string, Dispatch>();
  const tasks: Task[] = [];
  const subjobs: OpenSubjob[] = [];
  for (const { dispatch, task, subjob } of rows) {
    if (subjob) subjobs.push({ ...subjob, id: BigInt(subjob.id), run: BigInt(subjob.run) });
    if (!dispatch) continue;
    const [id, runId] = [BigInt(dispatch.id), BigInt(dispatch.runId)];
    found.set(dispatch.id, { ...dispatch, id, runId });
    if (task) tasks.push({ ...task, runId, dispatch: id });
  }
  return { dispatches: [...found.values()], tasks, subjobs };
}
