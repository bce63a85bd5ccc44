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
  async notifyAuthor(run: Payload<typeof runFinished>, tx: Transaction): Promise<void> {
    const said = describeRunEnd(run);
    if (!said) return;
    await tx.notification.create({ data: { id: newId(), vaultId: run.vault, userId: run.author, ...said } });
  }
}
