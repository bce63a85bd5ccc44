import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import type { adminVault } from '@millrace/contracts/auth/admin/admin-vaults';
import { COUNTING_SERVICES, measureVaults, type CountingService } from '@millrace/contracts/auth/admin/vault-usage';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';

type Usage = z.input<typeof adminVault>['usage'];

const FIELDS = {
  workflows: 'stored_bytes',
  runs: 'active_runs',
  datasets: 'live_rows',
  billing: 'execution_units',
} as const satisfies Record<CountingService, keyof Usage>;

/** Short, because a list of vaults is useful without the numbers of a service that is away. */
const TIMEOUT_MS = 3_000;

/** Collects what vaults use from the services that count it. */
@Injectable()
export class VaultUsage {
  constructor(private readonly rpc: RpcClient) {}

  /** @returns usage by vault. The numbers of a service that does not respond are absent */
  async measure(vaults: string[]): Promise<Map<string, Usage>> {
    const usageById = new Map<string, Usage>(vaults.map((vault) => [vault, {}]));
    if (vaults.length === 0) return usageById;
    await Promise.all(
      COUNTING_SERVICES.map(async (service) => {
        const options = { timeoutMs: TIMEOUT_MS };
        const measured = await this.rpc
          .call(measureVaults[service], { vaults }, { caller: null }, options)
          .catch(() => null);
        if (!measured) return;
        for (const [vault, usage] of usageById) usage[FIELDS[service]] = measured.amounts[vault] ?? 0;
      }),
    );
    return usageById;
  }
}
