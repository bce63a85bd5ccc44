import { Injectable } from '@nestjs/common';
import { collectLoad } from '@millrace/contracts/datasets/jobs';
import { listBoundOutputs } from '@millrace/contracts/datasets/loads';
import type { Payload } from '@millrace/contracts/kit/event';
import type { Result } from '@millrace/contracts/kit/operation';
import { JobProcessor } from '@millrace/messaging/jobs/job-processor';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database } from '@millrace/persistence/database';
import type { Load } from '@millrace/persistence/generated/client';
import { countLoad } from '../../metrics/table-metrics.js';
import { hasEnded } from './can-load.js';
import { createParts } from './create-loads.js';
import { LoadGuard, PermanentLoadError, lockLoad } from './load-guard.js';
import { enqueueNextMerge } from './load-jobs.js';
import { LOAD_TRANSITIONS } from './load-transitions.js';

type BoundOutputs = Result<typeof listBoundOutputs>;
type BoundRun = NonNullable<BoundOutputs['run']>;

/** Long enough for the runs service to restart. */
const CALL_OPTIONS = { timeoutMs: 20_000, retryForMs: 15_000 };

/** Lists the outputs that a load has to read. Safe to repeat: parts are created only while the load is PENDING. */
@Injectable()
export class CollectLoadJob {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
    private readonly guard: LoadGuard,
  ) {}

  @JobProcessor(collectLoad)
  async collect({ load: id }: Payload<typeof collectLoad>): Promise<void> {
    const load = await this.database.client.load.findUnique({ where: { id: BigInt(id) } });
    if (load?.status === 'PENDING') await this.guard.run(load, () => this.collectOutputs(load));
  }

  private async collectOutputs(load: Load): Promise<void> {
    const { run, outputs } = await this.listOutputs(load);
    if (!run) throw new PermanentLoadError(`Run ${load.runId} no longer exists, so its outputs cannot be read.`);
    const isEmpty = await this.database.transaction(async (tx) => {
      if (!(await lockLoad(tx, load, 'PENDING'))) return false;
      const now = new Date();
      const started = { versionId: run.version, partial: isPartial(run, load), startedAt: now };
      // A run without this output does not show which rows no longer exist, so no row becomes gone.
      const next =
        outputs.length > 0
          ? { status: LOAD_TRANSITIONS.startReading.to }
          : { status: LOAD_TRANSITIONS.completeWithoutOutputs.to, finishedAt: now };
      await tx.load.update({ where: { id: load.id }, data: { ...started, ...next } });
      if (outputs.length === 0) {
        await enqueueNextMerge(tx, load);
        return true;
      }
      const parts = outputs.map(({ id, subjob, ...rest }) => ({ outputId: id, subjobId: subjob, ...rest }));
      await createParts(tx, load, parts);
      return false;
    });
    if (isEmpty) countLoad('empty');
  }

  /**
   * All outputs of the run as of the load's revision. None if the run was retried since: its outputs are those of another
   * revision, which has a load of its own.
   */
  private async listOutputs(load: Load): Promise<Pick<BoundOutputs, 'run' | 'outputs'>> {
    const request = {
      ...{ run: String(load.runId), vault: load.vaultId, module: load.isModule },
      ...{ node: load.node ?? '', path: load.outputName ?? '' },
    };
    let first: BoundRun | null = null;
    const outputs: BoundOutputs['outputs'] = [];
    for (let after: string | undefined; ;) {
      const page: BoundOutputs = await this.rpc.call(
        listBoundOutputs,
        { ...request, ...(after !== undefined && { after }) },
        { caller: null },
        CALL_OPTIONS,
      );
      if (!page.run || !isCurrent(page.run, load)) return { run: page.run, outputs: [] };
      first ??= page.run;
      outputs.push(...page.outputs);
      if (page.next === null) return { run: first, outputs };
      after = page.next;
    }
  }
}

/** Whether the run has still the results that the load is for. */
const isCurrent = ({ status, revision = 0 }: BoundRun, load: Load): boolean =>
  hasEnded(status) && revision <= load.revision;

const isPartial = (run: BoundRun, load: Load): boolean =>
  run.partial || run.status !== 'COMPLETED' || run.complete === false || !isCurrent(run, load);
