import { Controller } from '@nestjs/common';
import type { Input } from '@millrace/contracts/kit/operation';
import { reportInputs } from '@millrace/contracts/runs/engine';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Dispatcher } from '../engine/dispatch/dispatcher.js';
import { parseWorkerBody } from '../workers/parse-worker-body.js';
import { applyFetchedInputs } from './apply-fetched-inputs.js';

/** Inputs that workers have fetched. */
@Controller()
export class InputsController {
  constructor(private readonly dispatcher: Dispatcher) {}

  @OperationHandler(reportInputs)
  async receive({ body }: Input<typeof reportInputs>): Promise<null> {
    const { run: id, ...fetched } = parseWorkerBody(reportInputs, body);
    return this.dispatcher.change({
      lock: { ids: [BigInt(id)] },
      change: async (tx, runs) => {
        for (const run of runs.values()) await applyFetchedInputs(tx, run, fetched);
        return null;
      },
    });
  }
}
