import { Controller } from '@nestjs/common';
import type { Input } from '@millrace/contracts/kit/operation';
import { reportInputs } from '@millrace/contracts/runs/engine';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Engine } from '../engine/engine.js';
import { PlanStore } from '../engine/plans/plan-store.js';
import { lockRuns } from '../engine/transaction/locked-run.js';
import { parseWorkerBody } from '../workers/parse-worker-body.js';
import { reportInputs as settle } from './apply-fetched-inputs.js';

/** What workers have fetched. */
@Controller()
export class InputsController {
  constructor(
    private readonly engine: Engine,
    private readonly plans: PlanStore,
  ) {}

  @OperationHandler(reportInputs)
  async settle({ body }: Input<typeof reportInputs>): Promise<null> {
    const { run: id, ...fetched } = parseWorkerBody(reportInputs, body);
    return this.engine.change(async (tx) => {
      const runs = await lockRuns(tx, this.plans, [BigInt(id)]);
      for (const run of runs.values()) await settle(tx, run, fetched);
      return { runs, answer: null };
    });
  }
}
