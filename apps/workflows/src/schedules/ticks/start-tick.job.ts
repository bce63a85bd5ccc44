import { Injectable } from '@nestjs/common';
import { isSuspended } from '@millrace/contracts/billing/restriction';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Payload } from '@millrace/contracts/kit/event';
import { startTick, type TICK_STATUSES } from '@millrace/contracts/workflows/schedules';
import { JobProcessor } from '@millrace/messaging/jobs/job-processor';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { Schedule, ScheduleTick } from '@millrace/persistence/generated/client';
import { RunLauncher } from '../../running/run-launcher.js';
import { notifyClocks } from './notify-clocks.js';
import { clearRefusal, recordRefusal } from './record-refusal.js';

/** A tick whose run cannot be started for this long is given up. */
const START_TIMEOUT_MS = 24 * 3_600_000;
const MAX_REASON_LENGTH = 500;

/**
 * Starts the runs of ticks. Safe to repeat at any point: the outcome is recorded once, and a tick starts at most one
 * run.
 */
@Injectable()
export class StartTickJob {
  constructor(
    private readonly database: Database,
    private readonly runs: RunLauncher,
  ) {}

  @JobProcessor(startTick)
  async start({ tick: id }: Payload<typeof startTick>): Promise<void> {
    const tick = await this.database.client.scheduleTick.findUnique({ where: { id }, include: { schedule: true } });
    if (tick?.status !== 'pending') return;
    const outcome = await this.launch(tick);
    await this.database.transaction((tx) => settleTick(tx, tick, outcome));
  }

  /** @throws if the job has to be retried */
  private async launch({ schedule, ...tick }: ScheduleTick & { schedule: Schedule }): Promise<Outcome> {
    if (!schedule.enabled) return { status: 'skipped', reason: 'The schedule is disabled' };
    const { id, version, createdAt } = tick;
    const { vaultId: vault, workflowId: workflow } = schedule;
    // During an update an older copy of the service may have claimed the tick without these columns.
    const { author: user, parallelism } = tick.author === null ? schedule : { ...tick, author: tick.author };
    const inputs = (tick.inputs ?? schedule.inputs) as Record<string, string | boolean>;
    const request = {
      ...{ workflow, schedule: schedule.id, origin: `schedule ${id}`, inputs, creationType: 'SCHEDULED' as const },
      ...(version !== null && { version }),
      ...(parallelism !== null && { parallelism }),
    };
    try {
      const { run, busy } = await this.runs.launch({ user, vault }, request, `tick-${id}`);
      return busy
        ? { status: 'skipped', reason: `Run ${run}, which the schedule started earlier, is still active` }
        : { status: 'started', run };
    } catch (error) {
      const isLasting = error instanceof ApiError && !error.isServerError;
      // Nobody in the vault can do anything about it, so nobody is notified of a refusal.
      if (isLasting && isSuspended(error)) return { status: 'skipped', reason: error.message, isSuspended: true };
      if (isLasting) return { status: 'refused', reason: explain(error) };
      if (Date.now() - createdAt.getTime() < START_TIMEOUT_MS) throw error;
      return { status: 'refused', reason: 'The run could not be started within 24 hours' };
    }
  }
}

function explain({ message, details = {} }: ApiError): string {
  const problems = Object.entries(details).flatMap(([field, problem]) =>
    typeof problem === 'string' ? [`${field} ${problem}`] : [],
  );
  const text = problems.length > 0 ? `${message.replace(/\.$/, '')}: ${problems.join('; ')}` : message;
  return text.length > MAX_REASON_LENGTH ? `${text.slice(0, MAX_REASON_LENGTH).toWellFormed()}…` : text;
}

interface Outcome {
  status: Exclude<(typeof TICK_STATUSES)[number], 'pending'>;
  reason?: string;
  run?: string;
  isSuspended?: true;
}

type Tick = Pick<ScheduleTick, 'id' | 'scheduleId' | 'dueAt'>;

/**
 * Records the outcome of a tick, once. A schedule with a period of 0 continues at the end of a run; if no run could be
 * started, also because the vault is suspended, it tries again after a minute. Locks the schedule before the tick, in the same order as the schedule's
 * deletion.
 */
async function settleTick(tx: Transaction, tick: Tick, outcome: Outcome): Promise<void> {
  const { status, reason, run } = outcome;
  const { id, scheduleId: schedule, dueAt: due } = tick;
  await tx.$executeRaw`SELECT 1 FROM workflows.schedule WHERE id = ${schedule}::uuid FOR UPDATE`;
  const settled = await tx.$executeRaw`
    UPDATE workflows.schedule_tick SET status = ${status}, reason = ${reason ?? null}, run = ${run ?? null}, inputs = NULL
    WHERE id = ${id}::uuid AND status = 'pending'`;
  if (settled === 0) return;
  if (status === 'started') await clearRefusal(tx, schedule);
  if (status === 'refused') await recordRefusal(tx, { schedule, due, reason: reason ?? '' });
  if (status !== 'refused' && !outcome.isSuspended) return;
  const resumed = await tx.$executeRaw`
    UPDATE workflows.schedule SET next_at = now() + interval '1 minute'
    WHERE id = ${schedule}::uuid AND enabled AND repeat_period = 0 AND next_at IS NULL`;
  if (resumed > 0) await notifyClocks(tx);
}
