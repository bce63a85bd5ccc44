import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { runStalled } from '@millrace/contracts/runs/runs';
import { Database, type Transaction } from '@millrace/persistence/database';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';
import { Dispatcher } from '../dispatch/dispatcher.js';
import { advanceTasks } from '../retry/advance-tasks.js';
import { recountSegments } from '../stop/recount-segments.js';
import type { LockedRun } from '../transaction/locked-run.js';
import { findIdleRuns, type IdleRun } from './find-idle-runs.js';

const INTERVAL_MS = 20_000;

/**
 * Finds runs that neither progress nor wait for anything that has a name. No rule of the engine leaves a run like that, so
 * it is a defect, or somebody has changed the database. The watchdog applies the rules once more; if this does not help, it
 * marks the run, and publishes it.
 */
@Injectable()
export class Watchdog implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(Watchdog.name);
  private readonly loop = new IntervalLoop('Watchdog', INTERVAL_MS, () => this.watch(), this.logger);
  /** Runs that were idle in the last iteration, with the number of their last status change. */
  private idle = new Map<bigint, number>();

  constructor(
    private readonly database: Database,
    private readonly dispatcher: Dispatcher,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  /** One iteration. A run counts only if it was idle in the iteration before, too, and has not changed since. */
  async watch(): Promise<void> {
    const found = await findIdleRuns(this.database);
    const stalled = found.filter(({ id, changeSeq }) => this.idle.get(id) === changeSeq);
    this.idle = new Map(found.map(({ id, changeSeq }) => [id, changeSeq]));
    for (const run of stalled) await this.repair(run);
    await this.database.client.$executeRaw`
      UPDATE runs.run SET stalled_at = NULL WHERE stalled_at IS NOT NULL AND finished_at IS NOT NULL`;
  }

  private async repair({ id }: IdleRun): Promise<void> {
    const isStalled = await this.dispatcher.change({
      lock: { ids: [id] },
      change: async (tx, runs) => {
        const run = runs.get(id);
        if (!run || run.finishedAt !== null) return false;
        if (await advanceAll(tx, run)) return false;
        await markStalled(tx, run);
        return true;
      },
    });
    if (isStalled) this.logger.error({ message: 'Run is stalled; stop it, or retry it', runId: String(id) });
    else this.logger.warn({ message: 'Run was stalled; it runs on', runId: String(id) });
  }

  async findWarnings(): Promise<Record<string, string>> {
    const [row] = await this.database.client.$queryRaw<{ count: number; ids: string[] }[]>`
      SELECT count(*)::int AS count, (array_agg(id::text ORDER BY id))[1:5] AS ids
      FROM runs.run WHERE stalled_at IS NOT NULL AND finished_at IS NULL`;
    if (!row || row.count === 0) return {};
    const more = row.count > row.ids.length ? ', …' : '';
    return { runs: `${row.count} stalled: ${row.ids.join(', ')}${more}` };
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }
}

/**
 * Applies the rules to all waiting tasks. If all tasks of a run that is stopping have ended, counts them again.
 * @returns whether this changed anything
 */
async function advanceAll(tx: Transaction, run: LockedRun): Promise<boolean> {
  const openBefore = run.openSegments;
  const seqBefore = run.changeSeq;
  const waiting = await tx.$queryRaw<{ segment: number; indexes: number[] }[]>`
    SELECT segment, array_agg(index) AS indexes FROM runs.task
    WHERE run_id = ${run.id} AND state = 'WAITING' GROUP BY segment ORDER BY segment`;
  for (const { segment, indexes } of waiting) await advanceTasks(tx, run, segment, indexes);
  const [unfinished] = await tx.$queryRaw<{ any: boolean; active: boolean }[]>`
    SELECT count(*) > 0 AS any, count(*) FILTER (WHERE state <> 'WAITING') > 0 AS active
    FROM runs.task WHERE run_id = ${run.id} AND state <> 'DONE'`;
  if (run.isEnding && !unfinished?.any) await recountSegments(tx, run);
  return unfinished?.active === true || run.openSegments !== openBefore || run.changeSeq > seqBefore;
}

async function markStalled(tx: Transaction, { row }: LockedRun): Promise<void> {
  await tx.$executeRaw`UPDATE runs.run SET stalled_at = now() WHERE id = ${row.id}`;
  tx.emit(runStalled, {
    run: String(row.id),
    name: row.name,
    vault: row.vaultId,
    space: row.spaceId,
    workflow: row.workflowId,
    workflowName: row.workflowName,
    author: row.author,
    stalledAt: new Date().toISOString(),
  });
}
