import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { spaceDeleted } from '@millrace/contracts/workflows/spaces';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { recordDeletedPlaces } from '../spaces/deleted-places.js';
import { deleteSolutions } from './delete-solutions.js';

/** Deletes the solutions of a deleted space, with their tables and views, and its query folders. */
@Injectable()
export class SpaceDeletedListener {
  @EventHandler(spaceDeleted)
  async remove(deleted: Payload<typeof spaceDeleted>[], tx: Transaction): Promise<void> {
    await recordDeletedPlaces(
      tx,
      deleted.map(({ space }) => space),
    );
    for (const { vault: vaultId, space: spaceId } of deleted) {
      await deleteSolutions(tx, { vaultId, spaceId });
      await tx.queryFolder.deleteMany({ where: { vaultId, spaceId } });
    }
  }
}
