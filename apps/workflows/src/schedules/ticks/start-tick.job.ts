import { Injectable } from '@nestjs/common';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Payload } from '@millrace/contracts/kit/event';
import { startTick } from '@millrace/contracts/workflows/schedules';
import { JobProcessor } from '@millrace/messaging/jobs/job-processor';
import { Database } from '@millrace/persistence/database';
import type { Schedule, ScheduleTick } from '@millrace/persistence/generated/client';
import { RunLauncher } from '../../running/run-launcher.js';
import { settleTick, type Outcome } from './settle-tick.js';

/** A run that nothing but failures came of for so long is not wanted any more. */
const START_TIMEOUT_MS = 24 * 3_600_000;
const MAX_REASON_LENGTH = 500;

/** Starts the runs of ticks. May be done again at any point: the tick is noted once, and it starts one run at the most. */
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

  /** @throws where the tick has to be tried again */
  private async launch({ schedule, ...tick }: ScheduleTick & { schedule: Schedule }): Promise<Outcome> {
    if (!schedule.enabled) return { status: 'skipped', reason: 'The schedule was turned off' };
    const { id, version, createdAt } = tick;
    const { vaultId: vault, workflowId: workflow } = schedule;
    // A copy of the service from before it noted all of this may have taken the tick, during an update.
    const { author: user, parallelism } = tick.author === null ? schedule : { ...tick, author: tick.author };
    const inputs = (tick.inputs ?? schedule.inputs) as Record<string, string | boolean>;
    const wanted = {
      ...{ workflow, schedule: schedule.id, origin: `schedule ${id}`, inputs, creationType: 'SCHEDULED' as const },
      ...(version !== null && { version }),
      ...(parallelism !== null && { parallelism }),
    };
    try {
      const { run, busy } = await this.runs.launch({ user, vault }, wanted, `tick-${id}`);
      return busy
        ? { status: 'skipped', reason: `Run ${run}, which the schedule started before, still goes` }
        : { status: 'started', run };
    } catch (error) {
      const isLasting = error instanceof ApiError && !error.isServerError;
      if (isLasting) return { status: 'refused', reason: explain(error) };
      if (Date.now() - createdAt.getTime() < START_TIMEOUT_MS) throw error;
      return { status: 'refused', reason: 'The run could not be started for a day' };
    }
  }
}

function explain({ message, details = {} }: ApiError): string {
  const places = Object.entries(details).flatMap(([place, what]) =>
    typeof what === 'string' ? [`${place} ${what}`] : [],
  );
  const text = places.length > 0 ? `${message}: ${places.join('; ')}` : message;
  return text.length > MAX_REASON_LENGTH ? `${text.slice(0, MAX_REASON_LENGTH).toWellFormed()}…` : text;
}
