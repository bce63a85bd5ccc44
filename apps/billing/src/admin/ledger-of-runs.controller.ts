import { Controller } from '@nestjs/common';
import { sumLedgerOfRuns } from '@millrace/contracts/billing/ledger';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';

@Controller()
export class LedgerOfRunsController {
  constructor(private readonly database: Database) {}

  /** `usage_entry` has no index by run. The entries of the current month are few enough for an occasional check. */
  @OperationHandler(sumLedgerOfRuns)
  async sum({ body }: Input<typeof sumLedgerOfRuns>): Promise<Result<typeof sumLedgerOfRuns>> {
    const rows = await this.database.client.$queryRaw<{ run: string; units: bigint }[]>`
      SELECT run::text, sum(units)::bigint AS units FROM billing.usage_entry
      WHERE run = ANY(${body.runs}::bigint[]) GROUP BY run`;
    return { units: Object.fromEntries(rows.map(({ run, units }) => [run, Number(units)])) };
  }
}
