import { Controller } from '@nestjs/common';
import { measureVaults } from '@millrace/contracts/auth/admin/vault-usage';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';

const operation = measureVaults.runs;

@Controller()
export class MeasureVaultsController {
  constructor(private readonly database: Database) {}

  /** Counts the active runs of each vault. */
  @OperationHandler(operation)
  async measure({ body }: Input<typeof operation>): Promise<Result<typeof operation>> {
    const rows = await this.database.client.$queryRaw<{ vault: string; amount: number }[]>`
      SELECT vault_id::text AS vault, count(*)::int AS amount FROM runs.run
      WHERE vault_id = ANY(${body.vaults}::uuid[]) AND finished_at IS NULL GROUP BY vault_id`;
    return { amounts: Object.fromEntries(rows.map(({ vault, amount }) => [vault, amount])) };
  }
}
