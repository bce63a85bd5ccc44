import { Injectable } from '@nestjs/common';
import { detectTables } from '@millrace/contracts/datasets/jobs';
import type { Payload } from '@millrace/contracts/kit/event';
import { runFinished } from '@millrace/contracts/runs/runs';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { createLoads } from './loads/create-loads.js';

/** Runs that one detection job examines. The job is retried as a whole, so a failure repeats little work. */
const MAX_RUNS_PER_DETECTION = 20;

/** Creates loads for the outputs of completed runs. Other runs are not loaded, because their outputs are not complete. */
@Injectable()
export class RunFinishedListener {
  @EventHandler(runFinished)
  async loadCompletedRuns(finished: Payload<typeof runFinished>[], tx: Transaction): Promise<void> {
    const completed = finished.filter(({ status }) => status === 'COMPLETED');
    if (completed.length === 0) return;
    const nodes = await tx.reportingNode.findMany({
      where: { OR: completed.map(({ workflow, vault }) => ({ workflowId: workflow, vaultId: vault })) },
    });
    const outputs = completed.flatMap(({ run, workflow, vault }) =>
      nodes
        .filter((node) => node.workflowId === workflow && node.vaultId === vault)
        .map((node) => ({ run: BigInt(run), node })),
    );
    await createLoads(tx, outputs);
    const runs = completed.map(({ run, vault }) => ({ run, vault }));
    for (let from = 0; from < runs.length; from += MAX_RUNS_PER_DETECTION) {
      tx.enqueue(detectTables, { runs: runs.slice(from, from + MAX_RUNS_PER_DETECTION) });
    }
  }
}
