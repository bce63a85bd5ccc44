import { Controller } from '@nestjs/common';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { launchRun } from '@millrace/contracts/runs/runs';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { inVault } from '@millrace/persistence/tenancy';
import { RunStarter } from './run-starter.js';

type LaunchRequest = Input<typeof launchRun>['body'];
type LaunchResult = Result<typeof launchRun>;

/**
 * Starts runs for schedules and hooks. Two unique indexes decide between concurrent requests: there is one run per origin,
 * and one unfinished run per schedule.
 */
@Controller()
export class LaunchController {
  constructor(
    private readonly database: Database,
    private readonly starter: RunStarter,
  ) {}

  @OperationHandler(launchRun)
  async launch({ body }: Input<typeof launchRun>, context: Context): Promise<LaunchResult> {
    const existing = await this.find(body, context);
    if (existing) return existing;
    try {
      return await this.start(body, context);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      // A concurrent request has started the run, or starting it failed.
      const concurrent = await this.find(body, context);
      if (concurrent) return concurrent;
      throw error;
    }
  }

  private start(request: LaunchRequest, context: Context): Promise<LaunchResult> {
    const { schedule = null } = request;
    return this.starter.start(context, { ...request, schedule }, ({ id }) => ({ run: String(id), busy: false }));
  }

  /** One query: between two queries the run of this origin could start, and be mistaken for another run of the schedule. */
  private async find({ origin, schedule }: LaunchRequest, { caller }: Context): Promise<LaunchResult | null> {
    const unfinished = schedule === undefined ? [] : [{ scheduleId: schedule, finishedAt: null, revision: 0 }];
    const found = await this.database.client.run.findMany({
      where: { ...inVault(caller), OR: [{ origin }, ...unfinished] },
      select: { id: true, origin: true },
    });
    const run = found.find((candidate) => candidate.origin === origin) ?? found[0];
    return run ? { run: String(run.id), busy: run.origin !== origin } : null;
  }
}
