import type { Transaction } from '@millrace/persistence/database';
import { endSubjobs } from '../settle/end-subjobs.js';
import type { LockedRun } from '../transaction/locked-run.js';
import { endIdleTasks, recountSegments } from './end-tasks.js';

/** Fails a run that has not started: all of its subjobs are skipped. */
export async function failRun(tx: Transaction, run: LockedRun, error: string): Promise<void> {
  run.error ??= error;
  const steps = run.plan.plan.steps.map(({ index }) => index);
  await endSubjobs(tx, run, steps, 'groups', 'SKIPPED', 'skipped: the inputs of the run could not be fetched');
  await endIdleTasks(tx, run);
  await recountSegments(tx, run);
  await tx.$executeRaw`UPDATE runs.run SET fetching = false WHERE id = ${run.id}`;
}
