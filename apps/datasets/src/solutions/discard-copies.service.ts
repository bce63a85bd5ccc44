import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { discardCopy } from '@millrace/contracts/workflows/workflows';
import { Asker } from '@millrace/messaging/asker';
import { Database, type Transaction } from '@millrace/persistence/database';

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
  private readonly logger = new Logger(DiscardCopies.name);
  private timer?: NodeJS.Timeout;
  private busy: Promise<void> | null = null;

  constructor(
    private readonly database: Database,
    private readonly asker: Asker,
  ) {}

  onApplicationBootstrap(): void {
    const turn = () => {
      this.busy ??= this.sweep().finally(() => (this.busy = null));
    };
    this.timer = setInterval(turn, EVERY_MS);
    turn();
  }

  private async sweep(): Promise<void> {
    try {
      for (let left = MOST_AT_ONCE; left > 0 && (await this.database.transaction((tx) => this.discardOne(tx))); left--);
    } catch (error) {
      this.logger.warn({ message: 'Discarding copies of workflows waits', error });
    }
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

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.busy;
  }
}
