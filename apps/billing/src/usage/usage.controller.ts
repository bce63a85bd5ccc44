import { Controller } from '@nestjs/common';
import { toCredits } from '@millrace/contracts/billing/execution-units';
import { exportUsage, listPeriods, listUsage } from '@millrace/contracts/billing/usage';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { inVault } from '@millrace/persistence/tenancy';
import { listGroups, sumGroups } from './sum-usage.js';
import { toSums, toUsage, toUsageCsvHeader, toUsageCsvLines } from './to-usage.js';
import { UsageNames } from './usage-names.js';
import { readRange } from './usage-range.js';

/** Lines per response. The gateway requests the following lines with `after`. */
const MAX_LINES = 1_000;

@Controller()
export class UsageController {
  constructor(
    private readonly database: Database,
    private readonly names: UsageNames,
  ) {}

  @OperationHandler(listUsage)
  async list({ query }: Input<typeof listUsage>, context: Context): Promise<Result<typeof listUsage>> {
    const { group_by: group, page, page_size: take } = query;
    const range = readRange(context.caller.vault, query);
    const { groups, count, total } = await sumGroups(this.database, range, group, { take, skip: (page - 1) * take });
    const names = await this.names.find(group, groups, context);
    return { results: groups.map((sums) => toUsage(group, sums, names)), count, total: toSums(total) };
  }

  @OperationHandler(exportUsage)
  async export({ query }: Input<typeof exportUsage>, context: Context): Promise<Result<typeof exportUsage>> {
    const { group_by: group, after = null } = query;
    const range = readRange(context.caller.vault, query);
    const groups = await listGroups(this.database, range, group, { take: MAX_LINES, after });
    const names = await this.names.find(group, groups, context);
    const head = after === null ? toUsageCsvHeader(group) : '';
    const next = groups.length < MAX_LINES ? null : (groups.at(-1)?.key ?? null);
    return { content: `${head}${toUsageCsvLines(group, groups, names)}`, next };
  }

  @OperationHandler(listPeriods)
  async periods(_: Input<typeof listPeriods>, { caller }: Context): Promise<Result<typeof listPeriods>> {
    const periods = await this.database.client.usagePeriod.findMany({
      where: inVault(caller),
      orderBy: { month: 'desc' },
    });
    return {
      results: periods.map(({ month, units, cpuMs, subjobs }) => ({
        month: month.toISOString().slice(0, 7),
        execution_units: Number(units),
        credits_used: toCredits(Number(units)),
        cpu_seconds: Math.round(cpuMs) / 1_000,
        subjobs: Number(subjobs),
      })),
    };
  }
}
