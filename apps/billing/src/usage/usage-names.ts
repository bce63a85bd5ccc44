import { Injectable } from '@nestjs/common';
import type { UsageGroup } from '@millrace/contracts/billing/usage';
import { findNames } from '@millrace/contracts/workflows/workflows';
import type { Context } from '@millrace/messaging/rpc/context';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { UsageGroupSums } from './sum-usage.js';

/** A service that restarts is waited for so long. */
const TIMEOUT_MS = 3_000;

/** What workflows and spaces are called now; the ledger knows them by id. */
@Injectable()
export class UsageNames {
  constructor(private readonly rpc: RpcClient) {}

  /** @returns names by id; what is gone has none */
  async find(group: UsageGroup, groups: UsageGroupSums[], context: Context): Promise<Record<string, string>> {
    const ids = groups.flatMap(({ key }) => key ?? []);
    if (group === 'day' || ids.length === 0) return {};
    const { vault } = context.caller;
    const { names } = await this.rpc.call(findNames, { vault, ids }, context.envelope, { retryForMs: TIMEOUT_MS });
    return names;
  }
}
