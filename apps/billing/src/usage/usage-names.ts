import { Injectable } from '@nestjs/common';
import type { UsageGroup } from '@millrace/contracts/billing/usage';
import { nameThings } from '@millrace/contracts/workflows/workflows';
import { Asker } from '@millrace/messaging/asker';
import type { Context } from '@millrace/messaging/context';
import type { UsageGroupSums } from './sum-usage.js';

/** A service that restarts is waited for so long. */
const PATIENCE_MS = 3_000;

/** What workflows and spaces are called now; the ledger knows them by id. */
@Injectable()
export class UsageNames {
  constructor(private readonly asker: Asker) {}

  /** @returns names by id; what is gone has none */
  async find(group: UsageGroup, groups: UsageGroupSums[], context: Context): Promise<Record<string, string>> {
    const ids = groups.flatMap(({ key }) => key ?? []);
    if (group === 'day' || ids.length === 0) return {};
    const { vault } = context.caller;
    const { names } = await this.asker.ask(nameThings, { vault, ids }, context.envelope, { patienceMs: PATIENCE_MS });
    return names;
  }
}
