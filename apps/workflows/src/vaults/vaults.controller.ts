import { Controller } from '@nestjs/common';
import { vaultCreated } from '@millrace/contracts/auth/vaults';
import type { Payload } from '@millrace/contracts/kit/event';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { prepareVault as prepare } from '@millrace/contracts/workflows/vaults';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import { prepareVault } from './prepare-vault.js';

@Controller()
export class VaultsController {
  constructor(private readonly database: Database) {}

  @OperationHandler(prepare)
  async prepare({ body }: Input<typeof prepare>): Promise<Result<typeof prepare>> {
    return this.database.transaction(async (tx) => {
      await prepareVault(tx, body.vault, body.owner);
      return {};
    });
  }

  /** Sorted, for another copy may be preparing some of them at the same moment. */
  @EventHandler(vaultCreated)
  async prepareCreated(created: Payload<typeof vaultCreated>[], tx: Transaction): Promise<void> {
    const vaults = created.toSorted((a, b) => (a.vault < b.vault ? -1 : 1));
    for (const { vault, owner } of vaults) await prepareVault(tx, vault, owner);
  }
}
