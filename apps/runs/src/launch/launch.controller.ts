import { Controller } from '@nestjs/common';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { launchRun } from '@millrace/contracts/runs/runs';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { inVault } from '@millrace/persistence/tenancy';
import { RunStarter } from './run-starter.js';

type Wanted = Input<typeof launchRun>['body'];
type Launched = Result<typeof launchRun>;

/**
 * Runs that nobody asks for at the moment. Two unique indexes decide, whoever asks at the same time: one run for each
 * origin, one open run for each schedule.
 */
@Controller()
export class LaunchController {
  constructor(
    private readonly database: Database,
    private readonly runs: RunStarter,
  ) {}

  @OperationHandler(launchRun)
  async launch({ body }: Input<typeof launchRun>, context: Context): Promise<Launched> {
    const former = await this.find(body, context);
    if (former) return former;
    try {
      return await this.start(body, context);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      // Somebody else was first, or it failed for good.
      const made = await this.find(body, context);
      if (made) return made;
      throw error;
    }
  }

  private start(wanted: Wanted, context: Context): Promise<Launched> {
    const { schedule = null } = wanted;
    return this.runs.start(context, { ...wanted, schedule }, ({ id }) => ({ run: String(id), busy: false }));
  }

  /** In one question: between two, the run of this very origin might begin, and be taken for another. */
  private async find({ origin, schedule }: Wanted, { caller }: Context): Promise<Launched | null> {
    const open = schedule === undefined ? [] : [{ scheduleId: schedule, finishedAt: null }];
    const found = await this.database.client.run.findMany({
      where: { ...inVault(caller), OR: [{ origin }, ...open] },
      select: { id: true, origin: true },
    });
    const run = found.find((one) => one.origin === origin) ?? found[0];
    return run ? { run: String(run.id), busy: run.origin !== origin } : null;
  }
}
