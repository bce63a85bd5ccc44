import { Controller } from '@nestjs/common';
import { measureVaults } from '@millrace/contracts/auth/admin/vault-usage';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { thisMonth } from '../month.js';

const operation = measureVaults.billing;

@Controller()
export class MeasureVaultsController {
  constructor(private readonly database: Database) {}

  /** Sums the execution units of the current month of each vault. */
  @OperationHandler(operation)
  async measure({ body }: Input<typeof operation>): Promise<Result<typeof operation>> {
    const rows = await this.database.client.$queryRaw<{ vault: string; amount: bigint }[]>`
      SELECT vault_id::text AS vault, units AS amount FROM billing.usage_period
      WHERE vault_id = ANY(${body.vaults}::uuid[]) AND month = ${thisMonth()}::date`;
    return { amounts: Object.fromEntries(rows.map(({ vault, amount }) => [vault, Number(amount)])) };
  }
}
