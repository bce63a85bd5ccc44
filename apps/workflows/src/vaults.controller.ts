import { Controller } from '@nestjs/common';
import { vaultCreated } from '@millrace/contracts/auth/vaults';
import type { Payload } from '@millrace/contracts/kit/event';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { prepareVault as prepare } from '@millrace/contracts/workflows/vaults';
import { Handles } from '@millrace/messaging/handles';
import { Listens } from '@millrace/messaging/listens';
import { Database, type Transaction } from '@millrace/persistence/database';
import { prepareVault } from './prepare-vault.js';

@Controller()
export class VaultsController {
  constructor(private readonly database: Database) {}

  @Handles(prepare)
  async prepare({ body }: Input<typeof prepare>): Promise<Result<typeof prepare>> {
    return this.database.transaction(async (tx) => {
      await prepareVault(tx, body.vault, body.owner);
      return {};
    });
  }

  @Listens(vaultCreated)
  async welcome({ vault, owner }: Payload<typeof vaultCreated>, tx: Transaction): Promise<void> {
    await prepareVault(tx, vault, owner);
  }
}
