import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { collectLoad } from '@millrace/contracts/datasets/jobs';
import { listBoundOutputs } from '@millrace/contracts/datasets/loads';
import type { Payload } from '@millrace/contracts/kit/event';
import type { Result } from '@millrace/contracts/kit/operation';
import { JobProcessor } from '@millrace/messaging/jobs/job-processor';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database } from '@millrace/persistence/database';
import type { Load } from '@millrace/persistence/generated/client';
import { createParts } from './create-parts.js';
import { LoadGuard, PermanentLoadError } from './load-guard.js';
import { enqueueNextMerge } from './load-order.js';
import { lockLoad } from './lock-load.js';

type Bound = Result<typeof listBoundOutputs>;

/** Services that restart are waited for so long. */
const PATIENCE = { timeoutMs: 20_000, patienceMs: 15_000 };

/** Finds out which outputs a load has to read. May be done again: only of a load that waits parts are made. */
@Injectable()
export class CollectLoadJob {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
    private readonly loads: LoadGuard,
  ) {}

  @JobProcessor(collectLoad)
  async collect({ load: id }: Payload<typeof collectLoad>): Promise<void> {
    const load = await this.database.client.load.findUnique({ where: { id: BigInt(id) } });
    if (load?.status === 'PENDING') await this.loads.run(load, () => this.order(load));
  }

  private async order(load: Load): Promise<void> {
    const { run, outputs } = await this.listOutputs(load);
    if (!run) throw new PermanentLoadError('The run is not there any more');
    await this.database.transaction(async (tx) => {
      if (!(await lockLoad(tx, load, 'PENDING'))) return;
      const now = new Date();
      const begun = { versionId: run.version, partial: run.partial, startedAt: now };
      // Where there is no output nothing is known, so nothing is gone.
      const next = outputs.length > 0 ? { status: 'READING' } : { status: 'COMPLETED', finishedAt: now };
      await tx.load.update({ where: { id: load.id }, data: { ...begun, ...next } });
      if (outputs.length === 0) return enqueueNextMerge(tx, load);
      const parts = outputs.map(({ id, subjob, ...rest }) => ({ outputId: id, subjobId: subjob, ...rest }));
      await createParts(tx, load, parts);
    });
  }

  private async listOutputs(load: Load): Promise<Pick<Bound, 'run' | 'outputs'>> {
    const wanted = {
      ...{ run: String(load.runId), vault: load.vaultId, module: load.isModule },
      ...{ node: load.node ?? '', path: load.outputName ?? '' },
    };
    const outputs: Bound['outputs'] = [];
    for (let after: string | undefined; ;) {
      const page: Bound = await this.rpc.call(
        listBoundOutputs,
        { ...wanted, ...(after !== undefined && { after }) },
        { caller: null, requestId: randomUUID() },
        PATIENCE,
      );
      outputs.push(...page.outputs);
      if (page.next === null) return { run: page.run, outputs };
      after = page.next;
    }
  }
}
