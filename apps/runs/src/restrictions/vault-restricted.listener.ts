import { Injectable } from '@nestjs/common';
import { vaultUnrestricted, vaultRestricted } from '@millrace/contracts/billing/events';
import type { Payload } from '@millrace/contracts/kit/event';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { recordRestrictions } from './record-restrictions.js';

/** Stores which vaults may start nothing. If the restriction also stops runs, the engine's `Reconciler` does that. */
@Injectable()
export class VaultRestrictedListener {
  @EventHandler(vaultRestricted)
  restrict(restrictions: Payload<typeof vaultRestricted>[], tx: Transaction): Promise<void> {
    return recordRestrictions(tx, restrictions);
  }

  @EventHandler(vaultUnrestricted)
  release(restrictions: Payload<typeof vaultUnrestricted>[], tx: Transaction): Promise<void> {
    return recordRestrictions(
      tx,
      restrictions.map(({ vault, number }) => ({ vault, number, reason: null, stopRunning: false })),
    );
  }
}
