import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { spaceDeleted } from '@millrace/contracts/workflows/spaces';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { noteGone } from '../spaces/deleted-places.js';
import { removeSolutions } from './delete-solutions.js';

/** With a space go its solutions, their tables and views, and its query folders. */
@Injectable()
export class SpaceDeletedListener {
  @EventHandler(spaceDeleted)
  async remove(deleted: Payload<typeof spaceDeleted>[], tx: Transaction): Promise<void> {
    await noteGone(
      tx,
      deleted.map(({ space }) => space),
    );
    for (const { vault: vaultId, space: spaceId } of deleted) {
      await removeSolutions(tx, { vaultId, spaceId });
      await tx.queryFolder.deleteMany({ where: { vaultId, spaceId } });
    }
  }
}
