import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { spaceDeleted } from '@millrace/contracts/workflows/spaces';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { disableFilteredWebhooks } from './disable-filtered-webhooks.js';

@Injectable()
export class SpaceDeletedListener {
  @EventHandler(spaceDeleted)
  async disable(deleted: Payload<typeof spaceDeleted>[], tx: Transaction): Promise<void> {
    const spaces = deleted.map(({ vault, space: id }) => ({ vault, id }));
    await disableFilteredWebhooks(tx, 'space_id', spaces);
  }
}
