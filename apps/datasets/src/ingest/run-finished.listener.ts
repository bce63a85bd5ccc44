import { Injectable } from '@nestjs/common';
import { detectTables } from '@millrace/contracts/datasets/jobs';
import type { Payload } from '@millrace/contracts/kit/event';
import { runFinished } from '@millrace/contracts/runs/runs';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { canLoad } from './loads/can-load.js';
import { createLoads } from './loads/create-loads.js';

/** Runs that one detection job examines. The job is retried as a whole, so a failure repeats little work. */
const MAX_RUNS_PER_DETECTION = 20;

/**
 * Creates loads for the outputs of runs that ended, one for each revision of a run. Runs that did not complete are loaded
 * only if the reporting node says so, because their outputs are not complete.
 */
@Injectable()
export class RunFinishedListener {
  @EventHandler(runFinished)
  async loadFinishedRuns(finished: Payload<typeof runFinished>[], tx: Transaction): Promise<void> {
    const nodes = await tx.reportingNode.findMany({
      where: { OR: finished.map(({ workflow, vault }) => ({ workflowId: workflow, vaultId: vault })) },
    });
    const outputs = finished.flatMap(({ run, revision = 0, status, workflow, vault }) =>
      nodes
        .filter((node) => node.workflowId === workflow && node.vaultId === vault && canLoad(node, status))
        .map((node) => ({ run: BigInt(run), revision, node })),
    );
    await createLoads(tx, outputs);
    const completed = finished.filter(({ status }) => status === 'COMPLETED');
    const runs = completed.map(({ run, vault }) => ({ run, vault }));
    for (let from = 0; from < runs.length; from += MAX_RUNS_PER_DETECTION) {
      tx.enqueue(detectTables, { runs: runs.slice(from, from + MAX_RUNS_PER_DETECTION) });
    }
  }
}
