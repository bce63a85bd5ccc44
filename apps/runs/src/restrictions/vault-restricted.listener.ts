import { Injectable } from '@nestjs/common';
import { vaultReleased, vaultRestricted } from '@millrace/contracts/billing/events';
import type { Payload } from '@millrace/contracts/kit/event';
import { Listens } from '@millrace/messaging/listens';
import type { Transaction } from '@millrace/persistence/database';
import { noteRestrictions } from './note-restrictions.js';

/** Vaults that may start nothing, as billing tells. The engine's sweep stops what runs, where that is wanted. */
@Injectable()
export class VaultRestrictedListener {
  @Listens(vaultRestricted)
  restrict(told: Payload<typeof vaultRestricted>[], tx: Transaction): Promise<void> {
    return noteRestrictions(tx, told);
  }

  @Listens(vaultReleased)
  release(told: Payload<typeof vaultReleased>[], tx: Transaction): Promise<void> {
    return noteRestrictions(
      tx,
      told.map(({ vault, number }) => ({ vault, number, reason: null, stopRunning: false })),
    );
  }
}
