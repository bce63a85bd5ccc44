import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { discardWorkflowCopy } from '@millrace/contracts/workflows/workflows';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database, type Transaction } from '@millrace/persistence/database';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';

const DISCARD_INTERVAL_MS = 10_000;
/** Much longer than any request, so that no request to copy arrives after the one to discard. */
const ORPHANED_AFTER_MINUTES = 10;
const MAX_DISCARDED_PER_SWEEP = 50;

interface OrphanedCopy {
  id: string;
  vault: string;
}

/** Discards copies of workflows whose solution was not created, because the process crashed or the request failed. */
@Injectable()
export class DiscardCopiesService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweeps = new IntervalLoop('Deletion of orphaned workflow copies', DISCARD_INTERVAL_MS, () =>
    this.sweep(),
  );

  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
  ) {}

  onApplicationBootstrap(): void {
    this.sweeps.start({ immediately: true });
  }

  private async sweep(): Promise<void> {
    for (let discarded = 0; discarded < MAX_DISCARDED_PER_SWEEP; discarded++) {
      const hasDiscarded = await this.database.transaction((tx) => this.discardOne(tx));
      if (!hasDiscarded) return;
    }
  }

  /** Locks the record, so that no transaction claims the copy for a solution at the same time. */
  private async discardOne(tx: Transaction): Promise<boolean> {
    const [copy] = await tx.$queryRaw<OrphanedCopy[]>`
      SELECT id::text, vault_id::text AS vault FROM datasets.workflow_copy
      WHERE created_at < now() - ${ORPHANED_AFTER_MINUTES}::int * interval '1 minute'
      LIMIT 1 FOR UPDATE SKIP LOCKED`;
    if (!copy) return false;
    await this.rpc.call(
      discardWorkflowCopy,
      { vault: copy.vault, copy: copy.id },
      { caller: null, requestId: copy.id },
    );
    await tx.workflowCopy.delete({ where: { id: copy.id } });
    return true;
  }

  onApplicationShutdown(): Promise<void> {
    return this.sweeps.stop();
  }
}
