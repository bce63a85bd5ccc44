import { Injectable } from '@nestjs/common';
import type { UsageGroup } from '@millrace/contracts/billing/usage';
import { findNames } from '@millrace/contracts/workflows/workflows';
import type { Context } from '@millrace/messaging/rpc/context';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { UsageGroupSums } from './sum-usage.js';

/** Long enough for a restart of the workflows service. */
const LOOKUP_TIMEOUT_MS = 3_000;

/** Looks up the current names of workflows and spaces. The ledger has only their ids. */
@Injectable()
export class UsageNames {
  constructor(private readonly rpc: RpcClient) {}

  /** @returns names by id; deleted workflows and spaces have none */
  async find(group: UsageGroup, groups: UsageGroupSums[], context: Context): Promise<Record<string, string>> {
    const ids = groups.flatMap(({ key }) => key ?? []);
    if (group === 'day' || ids.length === 0) return {};
    const { vault } = context.caller;
    const { names } = await this.rpc.call(findNames, { vault, ids }, context.envelope, {
      retryForMs: LOOKUP_TIMEOUT_MS,
    });
    return names;
  }
}
