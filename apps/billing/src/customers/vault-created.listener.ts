import { Injectable } from '@nestjs/common';
import { vaultCreated } from '@millrace/contracts/auth/vaults';
import type { Payload } from '@millrace/contracts/kit/event';
import { Listens } from '@millrace/messaging/listens';
import type { Transaction } from '@millrace/persistence/database';

@Injectable()
export class VaultCreatedListener {
  /** Every vault is a customer from its first day. */
  @Listens(vaultCreated)
  async addCustomers(created: Payload<typeof vaultCreated>[], tx: Transaction): Promise<void> {
    await tx.$executeRaw`
      INSERT INTO billing.customer (vault_id, name)
      SELECT vault, name FROM jsonb_to_recordset(${JSON.stringify(created)}::jsonb) AS c(vault uuid, name text)
      ORDER BY vault
      ON CONFLICT DO NOTHING`;
  }
}
