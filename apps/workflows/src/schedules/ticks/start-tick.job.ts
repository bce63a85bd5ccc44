import { Injectable } from '@nestjs/common';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Payload } from '@millrace/contracts/kit/event';
import { startTick } from '@millrace/contracts/workflows/schedules';
import { JobProcessor } from '@millrace/messaging/jobs/job-processor';
import { Database } from '@millrace/persistence/database';
import type { Schedule, ScheduleTick } from '@millrace/persistence/generated/client';
import { RunLauncher } from '../../running/run-launcher.js';
import { settleTick, type Outcome } from './settle-tick.js';

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
