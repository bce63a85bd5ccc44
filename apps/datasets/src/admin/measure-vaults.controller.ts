import { Controller } from '@nestjs/common';
import { measureVaults } from '@millrace/contracts/auth/admin/vault-usage';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';

const operation = measureVaults.datasets;

@Controller()
export class MeasureVaultsController {
  constructor(private readonly database: Database) {}

  /** Counts the rows of the Live Tables of each vault. */
  @OperationHandler(operation)
  async measure({ body }: Input<typeof operation>): Promise<Result<typeof operation>> {
    const rows = await this.database.client.$queryRaw<{ vault: string; amount: bigint }[]>`
      SELECT vault_id::text AS vault, sum(rows)::bigint AS amount FROM datasets.dataset
      WHERE vault_id = ANY(${body.vaults}::uuid[]) GROUP BY vault_id`;
    return { amounts: Object.fromEntries(rows.map(({ vault, amount }) => [vault, Number(amount)])) };
  }
}
