import { Injectable } from '@nestjs/common';
import { vaultCreated } from '@millrace/contracts/auth/vaults';
import type { Payload } from '@millrace/contracts/kit/event';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { addCustomers } from './add-customers.js';

@Injectable()
export class VaultCreatedListener {
  /** Creates the customer of a new vault. */
  @EventHandler(vaultCreated)
  async add(created: Payload<typeof vaultCreated>[], tx: Transaction): Promise<void> {
    await addCustomers(tx, created);
  }
}
