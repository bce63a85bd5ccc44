import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { discardWorkflowCopy } from '@millrace/contracts/workflows/workflows';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database, type Transaction } from '@millrace/persistence/database';
import { IntervalLoop } from '@millrace/service/interval-loop';

const EVERY_MS = 10_000;
/** Much longer than a request may take, so that no order to copy comes after the one to discard. */
const FORSAKEN_MINUTES = 10;
const MAX_CONCURRENT = 50;

interface Note {
  id: string;
  vault: string;
}

/** Discards copies of workflows whose solution never came to be: whoever made them has died or given up. */
@Injectable()
export class DiscardCopiesService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweeps = new IntervalLoop('Deletion of orphaned workflow copies', EVERY_MS, () => this.sweep());

  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
  ) {}

  onApplicationBootstrap(): void {
    this.sweeps.start({ immediately: true });
  }

  private async sweep(): Promise<void> {
    for (let left = MAX_CONCURRENT; left > 0 && (await this.database.transaction((tx) => this.discardOne(tx))); left--);
  }

  /** Under the note's lock, so that it is not taken for a solution at the same moment. */
  private async discardOne(tx: Transaction): Promise<boolean> {
    const [note] = await tx.$queryRaw<Note[]>`
      SELECT id::text, vault_id::text AS vault FROM datasets.workflow_copy
      WHERE created_at < now() - ${FORSAKEN_MINUTES}::int * interval '1 minute'
      LIMIT 1 FOR UPDATE SKIP LOCKED`;
    if (!note) return false;
    await this.rpc.call(
      discardWorkflowCopy,
      { vault: note.vault, copy: note.id },
      { caller: null, requestId: note.id },
    );
    await tx.workflowCopy.delete({ where: { id: note.id } });
    return true;
  }

  onApplicationShutdown(): Promise<void> {
    return this.sweeps.stop();
  }
}
