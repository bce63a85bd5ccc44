import { Controller } from '@nestjs/common';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input } from '@millrace/contracts/kit/operation';
import { settleInputs } from '@millrace/contracts/runs/engine';
import { Handles } from '@millrace/messaging/handles';
import { Engine } from './engine/engine.js';
import { lockRuns } from './engine/locked-run.js';
import { PlanStore } from './engine/plan-store.js';
import { settleInputs as settle } from './engine/settle-inputs.js';

/** What workers have fetched. */
@Controller()
export class InputsController {
  constructor(
    private readonly engine: Engine,
    private readonly plans: PlanStore,
  ) {}

  /** Workers are the one part that runs other people's code: what they say is parsed, unlike what the gateway has parsed. */
  @Handles(settleInputs)
  async settle({ body }: Input<typeof settleInputs>): Promise<null> {
    const said = settleInputs.body.safeParse(body);
    if (!said.success) throw new ValidationError({ body: said.error.message });
    const { run: id, ...fetched } = said.data;
    return this.engine.change(async (tx) => {
      const runs = await lockRuns(tx, this.plans, [BigInt(id)]);
      for (const run of runs.values()) await settle(tx, run, fetched);
      return { runs, answer: null };
    });
  }
}
