import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { discardCopy } from '@millrace/contracts/workflows/workflows';
import { Asker } from '@millrace/messaging/asker';
import { Database, type Transaction } from '@millrace/persistence/database';
import { Repeater } from '@millrace/service/repeater';

const EVERY_MS = 10_000;
/** Much longer than a request may take, so that no order to copy comes after the one to discard. */
const FORSAKEN_MINUTES = 10;
const MOST_AT_ONCE = 50;

interface Note {
  id: string;
  vault: string;
}

/** Discards copies of workflows whose solution never came to be: whoever made them has died or given up. */
@Injectable()
export class DiscardCopies implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweeps = new Repeater('Discarding copies of workflows', EVERY_MS, () => this.sweep());

  constructor(
    private readonly database: Database,
    private readonly asker: Asker,
  ) {}

  onApplicationBootstrap(): void {
    this.sweeps.start({ atOnce: true });
  }

  private async sweep(): Promise<void> {
    for (let left = MOST_AT_ONCE; left > 0 && (await this.database.transaction((tx) => this.discardOne(tx))); left--);
  }

  /** Under the note's lock, so that it is not taken for a solution at the same moment. */
  private async discardOne(tx: Transaction): Promise<boolean> {
    const [note] = await tx.$queryRaw<Note[]>`
      SELECT id::text, vault_id::text AS vault FROM datasets.workflow_copy
      WHERE created_at < now() - ${FORSAKEN_MINUTES}::int * interval '1 minute'
      LIMIT 1 FOR UPDATE SKIP LOCKED`;
    if (!note) return false;
    await this.asker.ask(discardCopy, { vault: note.vault, copy: note.id }, { caller: null, requestId: note.id });
    await tx.workflowCopy.delete({ where: { id: note.id } });
    return true;
  }

  onApplicationShutdown(): Promise<void> {
    return this.sweeps.stop();
  }
}
