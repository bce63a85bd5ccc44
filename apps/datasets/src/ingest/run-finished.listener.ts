import { Injectable } from '@nestjs/common';
import { detectTables } from '@millrace/contracts/datasets/jobs';
import type { Payload } from '@millrace/contracts/kit/event';
import { runFinished } from '@millrace/contracts/runs/runs';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { createLoads } from './loads/create-loads.js';

/** Looked through by one job: few enough that what is tried again, because one of them failed, is not much. */
const RUNS_A_LOOK = 20;

/** Begins to read what runs that have completed gave. Of others nothing is read: what they gave is not all. */
@Injectable()
export class RunFinishedListener {
  @EventHandler(runFinished)
  async begin(finished: Payload<typeof runFinished>[], tx: Transaction): Promise<void> {
    const completed = finished.filter(({ status }) => status === 'COMPLETED');
    if (completed.length === 0) return;
    const nodes = await tx.reportingNode.findMany({
      where: { OR: completed.map(({ workflow, vault }) => ({ workflowId: workflow, vaultId: vault })) },
    });
    const wanted = completed.flatMap(({ run, workflow, vault }) =>
      nodes
        .filter((node) => node.workflowId === workflow && node.vaultId === vault)
        .map((node) => ({ run: BigInt(run), node })),
    );
    await createLoads(tx, wanted);
    const runs = completed.map(({ run, vault }) => ({ run, vault }));
    for (let from = 0; from < runs.length; from += RUNS_A_LOOK) {
      tx.enqueue(detectTables, { runs: runs.slice(from, from + RUNS_A_LOOK) });
    }
  }
}
