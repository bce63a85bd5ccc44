import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { spaceDeleted } from '@millrace/contracts/workflows/spaces';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';

/**
 * No run can start or be repaired in a deleted space, so nothing needs its cached results. What runs under way still store
 * is deleted when it has not been used for long.
 */
@Injectable()
export class SpaceDeletedListener {
  @EventHandler(spaceDeleted)
  async remove(deleted: Payload<typeof spaceDeleted>[], tx: Transaction): Promise<void> {
    await tx.cacheEntry.deleteMany({ where: { spaceId: { in: deleted.map(({ space }) => space) } } });
  }
}
