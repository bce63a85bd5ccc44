import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import type { LockedRun } from '../transaction/locked-run.js';
import { recordTransitions } from '../transaction/record-transitions.js';

/** A task that a worker may still have. */
export interface DispatchedTask {
  dispatch: bigint;
  index: number;
}

interface ResetSubjob {
  id: bigint;
  step: number;
  task: number;
  from: SubjobStatus;
}

/** Tasks whose subjobs are reset at once: those of a million need gigabytes of memory. */
const MAX_RESET = 20_000;

/** Columns of a subjob that belong to one attempt. */
const RESULT_COLUMNS = Prisma.raw(
  [
    ...['message', 'reason', 'exit_code', 'params', 'outputs', 'stdout', 'stderr', 'worker', 'cpu_ms', 'max_rss'],
    ...['cache_key', 'cache_parts', 'cached_from', 'started_at', 'finished_at'],
  ]
    .map((column) => `${column} = NULL`)
    .join(', '),
);

/**
 * Makes tasks of one segment wait again, with new attempts of their steps; the former attempts become history, and their
 * outputs are replaced.
 * @param positions by index of the task: the position in the segment from which its steps run again, in any case from the
 * first one that has not succeeded
 * @returns the tasks that a worker may still have
 */
export async function resetTasks(
  tx: Transaction,
  run: LockedRun,
  segment: number,
  positions: ReadonlyMap<number, number>,
): Promise<DispatchedTask[]> {
  const indexes = [...positions.keys()];
  const dispatched = await tx.$queryRaw<DispatchedTask[]>`
    WITH reset AS MATERIALIZED (
      SELECT index, dispatch FROM runs.task
      WHERE run_id = ${run.id} AND segment = ${segment} AND index = ANY(${indexes}::int[]) AND state <> 'WAITING'),
    written AS (
      UPDATE runs.task SET state = 'WAITING', outcome = NULL, attempt = attempt + 1, failures = 0, losses = 0,
        not_before = NULL, dispatch = NULL
      WHERE run_id = ${run.id} AND segment = ${segment} AND index = ANY(ARRAY(SELECT index FROM reset)))
    SELECT index, dispatch FROM reset WHERE dispatch IS NOT NULL`;
  await tx.$executeRaw`
    DELETE FROM runs.approval
    WHERE run_id = ${run.id} AND segment = ${segment} AND index = ANY(${indexes}::int[]) AND decision IS NULL`;
  const steps = run.plan.segment(segment).steps.filter((step) => !run.plan.isHidden(step));
  const entries = [...positions];
  for (let first = 0; steps.length > 0 && first < entries.length; first += MAX_RESET) {
    await resetSubjobs(tx, run, steps, new Map(entries.slice(first, first + MAX_RESET)));
  }
  return dispatched;
}

async function resetSubjobs(
  tx: Transaction,
  run: LockedRun,
  steps: readonly number[],
  positions: ReadonlyMap<number, number>,
): Promise<void> {
  const last = steps.length;
  const chosen = await tx.$queryRaw<{ id: bigint }[]>`
    SELECT s.id FROM unnest(${[...steps]}::int[]) WITH ORDINALITY AS p(step, position)
    CROSS JOIN unnest(${[...positions.keys()]}::int[], ${[...positions.values()].map((at) => Math.min(at, last))}::int[])
      AS w(task, first)
    JOIN runs.subjob s ON s.run_id = ${run.id} AND s.step = p.step AND s.task = w.task
    WHERE s.status <> 'PENDING' AND (p.position > w.first OR s.status <> 'SUCCEEDED')`;
  const ids = chosen.map(({ id }) => String(id));
  if (ids.length === 0) return;
  await keepAttempts(tx, run, ids);
  const reset = await resetRows(tx, ids, 'PENDING');
  await recordTransitions(tx, run, reset, 'PENDING');
  await tx.$executeRaw`
    UPDATE runs.output SET replaced = true
    WHERE run_id = ${run.id} AND step = ANY(${[...steps]}::int[]) AND subjob_id = ANY(${ids}::bigint[]) AND NOT replaced`;
}

/** Makes history of the attempts that subjobs have made. One that was still running ends without a result. */
export async function keepAttempts(tx: Transaction, run: LockedRun, ids: readonly string[]): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO runs.attempt (run_id, subjob_id, attempt, status, message, exit_code, worker, stdout, stderr, cpu_ms, max_rss,
      execution_units, started_at, finished_at)
    SELECT s.run_id, s.id, s.attempt, CASE WHEN s.status IN ('RUNNING', 'STOPPING') THEN 'STOPPED' ELSE s.status END,
      s.message, s.exit_code, s.worker, s.stdout, s.stderr, s.cpu_ms, s.max_rss,
      greatest(0, s.execution_units - coalesce(
        (SELECT sum(a.execution_units) FROM runs.attempt a WHERE a.run_id = s.run_id AND a.subjob_id = s.id), 0)),
      s.started_at, coalesce(s.finished_at, ${run.now})
    FROM runs.subjob s WHERE s.id = ANY(${ids}::bigint[]) AND s.started_at IS NOT NULL
    ON CONFLICT DO NOTHING`;
}

/** Removes the result of subjobs. Those that have made an attempt get the next number. */
export async function resetRows(
  tx: Transaction,
  ids: readonly string[],
  status: Extract<SubjobStatus, 'PENDING' | 'RUNNING'>,
): Promise<ResetSubjob[]> {
  return tx.$queryRaw<ResetSubjob[]>`
    UPDATE runs.subjob AS s SET status = ${status}, attempt = s.attempt + (s.started_at IS NOT NULL)::int, ${RESULT_COLUMNS}
    FROM runs.subjob o
    WHERE s.id = ANY(${ids}::bigint[]) AND o.id = s.id
    RETURNING s.id, s.step, s.task, o.status AS "from"`;
}
