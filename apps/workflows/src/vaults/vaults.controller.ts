import { Controller } from '@nestjs/common';
import { vaultCreated } from '@millrace/contracts/auth/vaults';
import type { Payload } from '@millrace/contracts/kit/event';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { prepareVault } from '@millrace/contracts/workflows/vaults';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import { createFirstSpace } from './create-first-space.js';

@Controller()
export class VaultsController {
  constructor(private readonly database: Database) {}

  @OperationHandler(prepareVault)
  async prepare({ body }: Input<typeof prepareVault>): Promise<Result<typeof prepareVault>> {
    return this.database.transaction(async (tx) => {
      await createFirstSpace(tx, body.vault, body.owner);
      return {};
    });
  }

  /**
   * In the order of ids, because another copy of the service may prepare some of the same vaults at the same moment.
   */
  @EventHandler(vaultCreated)
  async prepareCreated(created: Payload<typeof vaultCreated>[], tx: Transaction): Promise<void> {
    const vaults = created.toSorted((a, b) => (a.vault < b.vault ? -1 : 1));
    for (const { vault, owner } of vaults) await createFirstSpace(tx, vault, owner);
  }
}
