import { Injectable } from '@nestjs/common';
import { vaultUnrestricted, vaultRestricted } from '@millrace/contracts/billing/events';
import type { Payload } from '@millrace/contracts/kit/event';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { recordRestrictions } from './record-restrictions.js';

/** Vaults that may start nothing, as billing tells. The engine's sweep stops what runs, where that is wanted. */
@Injectable()
export class VaultRestrictedListener {
  @EventHandler(vaultRestricted)
  restrict(told: Payload<typeof vaultRestricted>[], tx: Transaction): Promise<void> {
    return recordRestrictions(tx, told);
  }

  @EventHandler(vaultUnrestricted)
  release(told: Payload<typeof vaultUnrestricted>[], tx: Transaction): Promise<void> {
    return recordRestrictions(
      tx,
      told.map(({ vault, number }) => ({ vault, number, reason: null, stopRunning: false })),
    );
  }
}
