import { Controller } from '@nestjs/common';
import { measureVaults } from '@millrace/contracts/auth/admin/vault-usage';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';

const operation = measureVaults.workflows;

@Controller()
export class MeasureVaultsController {
  constructor(private readonly database: Database) {}

  /** Measures the bytes of the files and runs of each vault. */
  @OperationHandler(operation)
  async measure({ body }: Input<typeof operation>): Promise<Result<typeof operation>> {
    const rows = await this.database.client.$queryRaw<{ vault: string; amount: bigint }[]>`
      SELECT v::text AS vault, workflows.file_bytes_of(v) + runs.stored_bytes_of(v) AS amount
      FROM unnest(${body.vaults}::uuid[]) AS v`;
    return { amounts: Object.fromEntries(rows.map(({ vault, amount }) => [vault, Number(amount)])) };
  }
}
