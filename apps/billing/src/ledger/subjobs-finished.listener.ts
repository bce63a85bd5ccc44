import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { subjobsFinished } from '@millrace/contracts/runs/subjobs';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { thisMonth } from '../month.js';
import { updateRestrictions } from '../restrictions/update-restrictions.js';
import { addEntries } from './add-entries.js';

@Injectable()
export class SubjobsFinishedListener {
  /** Adds the usage to the ledger and restricts the vaults that have reached their limit. */
  @EventHandler(subjobsFinished)
  async addUsage(finished: Payload<typeof subjobsFinished>[], tx: Transaction): Promise<void> {
    const vaults = await addEntries(
      tx,
      finished.flatMap(({ entries }) => entries),
    );
    await updateRestrictions(tx, vaults, thisMonth());
  }
}
