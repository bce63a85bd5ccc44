import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { InputValue } from '@millrace/contracts/runs/dispatch';
import { runStarted } from '@millrace/contracts/runs/runs';
import type { Transaction } from '@millrace/persistence/database';
import { guardApprovals, type MayDecide } from '../../approvals/guard-approvals.js';
import { enqueueFetch, findInputsToFetch } from '../../inputs/input-fetch.js';
import type { Cancellation } from '../../workers/cancellation.js';
import type { LockedRun } from '../transaction/locked-run.js';
import { addBrokenSources, selectFailed, selectNodes, selectSkipped, selectSubjobs } from './choose-tasks.js';
import { selectTask, type TaskSelection } from './find-repeated-tasks.js';
import { recordOutcomes } from './read-run-shape.js';
import { repeatTasks, type Repair } from './repeat-tasks.js';

/** What a user retries: these nodes and subjobs, or everything that has no result because something failed. */
export interface RetryRequest {
  nodes?: readonly string[] | undefined;
  /** Ids, as the request has them. */
  subjobs?: readonly string[] | undefined;
}

/**
 * Retries subjobs of a run, and all that depends on them.
 * @throws ValidationError
 */
export async function retryRun(tx: Transaction, run: LockedRun, request: RetryRequest): Promise<Cancellation[]> {
  await requireNotStopping(tx, run);
  await recordOutcomes(tx, run);
  const { nodes = [], subjobs = [] } = request;
  const isChosen = nodes.length + subjobs.length > 0;
  const retried = isChosen ? await selectChosen(tx, run, nodes, subjobs) : await selectFailed(tx, run);
  // A run that failed as a whole, for example by its timeout, completes if all its subjobs succeeded in the meantime.
  const hasFailed = run.finishedAt !== null && run.status !== 'COMPLETED';
  if (retried.size === 0 && !hasFailed) {
    throw new ValidationError(
      {},
      `Run ${run.id} has nothing to retry: no subjob failed or was stopped. Name \`nodes\` or \`children\` to run them again.`,
    );
  }
  return repair(tx, run, { retried });
}

async function selectChosen(
  tx: Transaction,
  run: LockedRun,
  nodes: readonly string[],
  subjobs: readonly string[],
): Promise<TaskSelection> {
  const chosen = await selectNodes(tx, run, nodes);
  for (const [segment, indexes] of subjobs.length > 0 ? await selectSubjobs(tx, run, subjobs) : []) {
    for (const [index, position] of indexes) selectTask(chosen, segment, index, position);
  }
  return addBrokenSources(tx, run, chosen);
}

/**
 * Skips a subjob that has not succeeded, so that the run goes on without it: what gathers takes the others, and what follows
 * for the same child is skipped. Of a task group, the children that have succeeded keep their results.
 * @throws ValidationError; ForbiddenError if that replaces an approval that the user may not give
 */
export async function skipSubjob(
  tx: Transaction,
  run: LockedRun,
  subjob: bigint,
  { reason, mayDecide }: { reason: string; mayDecide: MayDecide },
): Promise<Cancellation[]> {
  await requireNotStopping(tx, run);
  await recordOutcomes(tx, run);
  const skipped = await selectSkipped(tx, run, subjob);
  return guardApprovals(tx, run, skipped, mayDecide, () =>
    repair(tx, run, { retried: new Map(), skipped, skipReason: reason }),
  );
}

async function requireNotStopping(tx: Transaction, run: LockedRun): Promise<void> {
  if (run.status === 'STOPPING') {
    throw new ValidationError({ 'params.id': `names run ${run.id}, which is stopping; wait until it has ended` });
  }
  const group = await tx.subjob.findFirst({ where: { runId: run.id, stopNext: { not: null } } });
  if (group) {
    throw new ValidationError({
      'params.id': `names run ${run.id}, in which the children of ${group.node} are being stopped; wait a moment`,
    });
  }
}

async function repair(tx: Transaction, run: LockedRun, change: Repair): Promise<Cancellation[]> {
  const hadEnded = run.finishedAt !== null;
  run.reopen();
  if (hadEnded) {
    await refetchInputs(tx, run);
    publishRestart(tx, run);
  }
  return repeatTasks(tx, run, change);
}

/** Inputs that could not be fetched before the run ended are fetched again. */
async function refetchInputs(tx: Transaction, run: LockedRun): Promise<void> {
  const missing = findInputsToFetch(run.plan, run.row.inputs as Record<string, InputValue>);
  if (missing.length === 0) return;
  await tx.$executeRaw`UPDATE runs.run SET fetching = true, refetches = 0 WHERE id = ${run.id}`;
  run.row.fetching = true;
  enqueueFetch(tx, run.row, missing);
}

function publishRestart(tx: Transaction, run: LockedRun): void {
  const { row } = run;
  tx.emit(runStarted, {
    run: String(row.id),
    vault: row.vaultId,
    workflow: row.workflowId,
    version: row.versionId,
    space: row.spaceId,
    project: row.projectId,
    startedAt: run.now.toISOString(),
    revision: run.revision,
  });
}
