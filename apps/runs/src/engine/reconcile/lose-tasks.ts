import { LOST_TOO_OFTEN } from '@millrace/contracts/runs/failure-kind';
import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { Transaction } from '@millrace/persistence/database';
import type { Task } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { normalizeReason } from '../../failures/normalize-reason.js';
import { describeLoss, type LostDispatch } from '../../workers/worker-registry.js';
import { EMPTY_OUTPUT } from '../rows/empty-output.js';
import { endSubjobs } from '../settle/end-subjobs.js';
import type { SettledTasks } from '../settle/expand-scope.js';
import { outcomeOfFailure } from '../settle/fail-thresholds.js';
import { settleTasks } from '../settle/settle-tasks.js';
import type { TaskOutcome } from '../states/task-transitions.js';
import type { LockedRuns } from '../transaction/lock-runs.js';
import type { LockedRun } from '../transaction/locked-run.js';

/** A task that was running when its worker was lost runs again this many times. After that, the task itself is at fault. */
export const MAX_LOSSES = 3;

/** @param description how the task was lost for the last time */
export const describeTooManyLosses = (description: string): string =>
  `${description}; it was lost ${MAX_LOSSES + 1} ${LOST_TOO_OFTEN}`;

/** Deletes dispatches whose worker is lost. Their tasks run again, or end if their run is ending. */
export async function requeueLostDispatches(tx: Transaction, runs: LockedRuns, lost: LostDispatch[]): Promise<void> {
  const ids = lost.map(({ dispatch }) => dispatch);
  const tasks = await tx.task.findMany({ where: { dispatch: { in: ids } } });
  await tx.dispatch.deleteMany({ where: { id: { in: ids } } });
  for (const [runId, lostTasks] of Map.groupBy(tasks, (task) => task.runId)) {
    const run = runs.get(runId);
    if (run) await loseTasks(tx, run, lostTasks, lost);
  }
}

/**
 * Handles dispatched tasks on which no worker will ever report. A loss counts for the task that was running, but not for the
 * tasks that waited behind it in the same dispatch.
 */
export async function loseTasks(tx: Transaction, run: LockedRun, tasks: Task[], lost: LostDispatch[]): Promise<void> {
  const settled: SettledTasks[] = [];
  for (const [dispatch, lostTasks] of Map.groupBy(tasks, (task) => task.dispatch)) {
    const loss = lost.find((one) => one.dispatch === dispatch) ?? unknownLoss(dispatch);
    const ended = await loseDispatchedTasks(tx, run, lostTasks, describeLoss(loss));
    if (ended) settled.push(ended);
  }
  await settleTasks(
    tx,
    settled.map((ended) => ({ run, ...ended })),
  );
}

const unknownLoss = (dispatch: bigint | null): LostDispatch => ({
  dispatch: dispatch ?? 0n,
  ...{ worker: null, host: null, lastSeen: null, cause: 'missing' },
});

/** @returns the tasks that do not run again */
async function loseDispatchedTasks(
  tx: Transaction,
  run: LockedRun,
  tasks: Task[],
  description: string,
): Promise<SettledTasks | null> {
  // All tasks of a dispatch belong to one segment.
  const segment = tasks[0]?.segment ?? 0;
  // They run in the order of their indexes, and ended tasks have left the dispatch, so the first one was running.
  const running = Math.min(...tasks.map(({ index }) => index));
  const endsNow = (task: Task) => run.isEnding || (task.index === running && task.losses >= MAX_LOSSES);
  const repeated = tasks.filter((task) => !endsNow(task)).map(({ index }) => index);
  const ending = tasks.filter(endsNow).map(({ index }) => index);
  await moveActiveSubjobs(tx, run, segment, repeated, 'PENDING', description);
  const stopped = await findStoppedTasks(tx, run, segment, repeated);
  const ready = repeated.filter((index) => !stopped.has(index));
  await tx.$executeRaw`
    UPDATE runs.task SET state = 'READY', dispatch = NULL, attempt = attempt + 1, losses = losses + (index = ${running})::int
    WHERE run_id = ${run.id} AND segment = ${segment} AND index = ANY(${ready}::int[])`;
  const broken = [...ending, ...stopped];
  if (broken.length === 0) return null;
  const failed = run.isEnding ? [] : await failRunningSteps(tx, run, segment, ending, description);
  if (run.isEnding) await moveActiveSubjobs(tx, run, segment, ending, 'STOPPED', null);
  await endSubjobs(tx, run, run.plan.segment(segment).steps, broken, run.isEnding ? 'STOPPED' : 'SKIPPED');
  const outcomes = new Map(failed.map(({ step, task }) => [task, outcomeOfFailure(run.plan.step(step))]));
  return endTasks(
    tx,
    run,
    segment,
    Map.groupBy(broken, (index) => outcomes.get(index) ?? 'BROKEN'),
  );
}

async function endTasks(
  tx: Transaction,
  run: LockedRun,
  segment: number,
  indexesByOutcome: ReadonlyMap<TaskOutcome, number[]>,
): Promise<SettledTasks> {
  for (const [outcome, indexes] of indexesByOutcome) {
    await tx.$executeRaw`
      UPDATE runs.task SET state = 'DONE', outcome = ${outcome}, dispatch = NULL
      WHERE run_id = ${run.id} AND segment = ${segment} AND index = ANY(${indexes}::int[])`;
  }
  const indexesOf = (outcome: TaskOutcome) => indexesByOutcome.get(outcome) ?? [];
  return { segment, succeeded: indexesOf('SUCCEEDED'), broken: indexesOf('BROKEN'), missing: indexesOf('MISSING') };
}

/** @returns the subjobs that failed */
async function failRunningSteps(
  tx: Transaction,
  run: LockedRun,
  segment: number,
  tasks: number[],
  description: string,
): Promise<MovedSubjob[]> {
  for (const task of tasks) await startUnreportedStep(tx, run, segment, task);
  const moved = await moveActiveSubjobs(tx, run, segment, tasks, 'FAILED', describeTooManyLosses(description));
  const failed = moved.filter(({ status }) => status === 'FAILED');
  for (const subjob of failed) await addEmptyOutput(tx, run, subjob);
  return failed;
}

/** A step that failed counts as one with an empty output if its node says so. */
async function addEmptyOutput(
  tx: Transaction,
  run: LockedRun,
  { id, step, task, attempt }: MovedSubjob,
): Promise<void> {
  const { node, label, onError } = run.plan.step(step);
  if (onError !== 'empty') return;
  await tx.output.create({
    data: { id: newId(), runId: run.id, subjobId: id, step, task, node, label, attempt, ...EMPTY_OUTPUT },
  });
}

/**
 * If the worker was lost before it reported the start of the task's next step, starts that step here, and the task group of
 * a child. Otherwise no subjob of the task could fail, and the run would complete.
 */
async function startUnreportedStep(tx: Transaction, run: LockedRun, segment: number, task: number): Promise<void> {
  const steps = visibleSteps(run, segment);
  const started = await tx.$queryRaw<{ id: bigint; step: number; task: number; taskCount: number | null }[]>`
    WITH next AS (
      SELECT step, task, status FROM runs.subjob
      WHERE run_id = ${run.id} AND step = ANY(${steps}::int[]) AND task = ${task} AND status IN ('PENDING', 'RUNNING', 'STOPPING')
      ORDER BY array_position(${steps}::int[], step) LIMIT 1)
    UPDATE runs.subjob AS s SET status = 'RUNNING', started_at = ${run.now} FROM next
    WHERE next.status = 'PENDING' AND s.run_id = ${run.id} AND s.step = next.step AND s.task IN (0, next.task)
      AND s.status = 'PENDING'
    RETURNING s.id, s.step, s.task, s.task_count AS "taskCount"`;
  for (const subjob of started) run.recordTransition(subjob, 'PENDING', 'RUNNING');
}

/** The steps of the subjobs that a segment's tasks have: a hidden split has the task group of its node. */
const visibleSteps = (run: LockedRun, segment: number): number[] =>
  run.plan.segment(segment).steps.map((step) => run.plan.subjobOf(step, 0).step);

interface MovedSubjob {
  id: bigint;
  step: number;
  task: number;
  attempt: number;
  from: SubjobStatus;
  status: SubjobStatus;
}

/** Gives running subjobs a new status. One that was being stopped has stopped with its worker. */
async function moveActiveSubjobs(
  tx: Transaction,
  run: LockedRun,
  segment: number,
  tasks: number[],
  to: Extract<SubjobStatus, 'PENDING' | 'STOPPED' | 'FAILED'>,
  message: string | null,
): Promise<MovedSubjob[]> {
  if (tasks.length === 0) return [];
  const steps = visibleSteps(run, segment);
  const isFinal = to !== 'PENDING';
  const reason = to === 'FAILED' && message !== null ? normalizeReason(message) : null;
  const moved = await tx.$queryRaw<MovedSubjob[]>`
    WITH lost AS (
      INSERT INTO runs.attempt (run_id, subjob_id, attempt, status, message, worker, started_at, finished_at)
      SELECT run_id, id, attempt, 'LOST', ${message}, worker, started_at, ${run.now}
      FROM runs.subjob WHERE ${!isFinal} AND run_id = ${run.id} AND step = ANY(${steps}::int[])
        AND task = ANY(${tasks}::int[]) AND status = 'RUNNING'
      ON CONFLICT DO NOTHING)
    UPDATE runs.subjob AS s SET status = CASE WHEN o.status = 'STOPPING' THEN 'STOPPED' ELSE ${to} END,
      message = coalesce(${message}, s.message), reason = ${reason},
      attempt = s.attempt + CASE WHEN ${isFinal} OR o.status = 'STOPPING' THEN 0 ELSE 1 END,
      finished_at = CASE WHEN ${isFinal} OR o.status = 'STOPPING' THEN ${run.now}::timestamptz END
    FROM runs.subjob o
    WHERE o.id = s.id AND s.run_id = ${run.id} AND s.step = ANY(${steps}::int[]) AND s.task = ANY(${tasks}::int[])
      AND o.status IN ('RUNNING', 'STOPPING')
    RETURNING s.id, s.step, s.task, s.attempt, o.status AS "from", s.status`;
  for (const subjob of moved) run.recordTransition(subjob, subjob.from, subjob.status);
  return moved;
}

/** Finds tasks in which a user stopped a subjob: they do not run again. */
async function findStoppedTasks(
  tx: Transaction,
  run: LockedRun,
  segment: number,
  tasks: number[],
): Promise<Set<number>> {
  if (tasks.length === 0) return new Set();
  const rows = await tx.$queryRaw<{ task: number }[]>`
    SELECT DISTINCT task FROM runs.subjob WHERE run_id = ${run.id} AND status = 'STOPPED'
      AND step = ANY(${run.plan.segment(segment).steps}::int[]) AND task = ANY(${tasks}::int[])`;
  return new Set(rows.map(({ task }) => task));
}
