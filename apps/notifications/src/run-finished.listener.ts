import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { runFinished } from '@millrace/contracts/runs/runs';
import { Listens } from '@millrace/messaging/listens';
import type { Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { describeRunEnd } from './describe-run-end.js';

@Injectable()
export class RunFinishedListener {
  @Listens(runFinished)
  async notifyAuthors(runs: Payload<typeof runFinished>[], tx: Transaction): Promise<void> {
    const rows = runs.flatMap((run) => {
      const said = describeRunEnd(run);
      return said ? [{ id: newId(), vault: run.vault, author: run.author, ...said }] : [];
    });
    if (rows.length === 0) return;
    // By hand, because Prisma's `createMany` is another statement for each number of rows.
    await tx.$executeRaw`
      INSERT INTO notifications.notification (id, vault_id, user_id, type, title, message, metadata)
      SELECT id, vault, author, type, title, message, metadata
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(
        id uuid, vault uuid, author uuid, type text, title text, message text, metadata jsonb)`;
  }
}
