import { Controller } from '@nestjs/common';
import {
  resumeVault,
  setVaultLimits,
  suspendVault,
  vaultAdministered,
} from '@millrace/contracts/auth/admin/admin-vaults';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { Prisma, Vault } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { lockVault } from '../../vaults/lock-vault.js';
import { type AdminAct, writeAdminAudit } from '../audit/write-admin-audit.js';
import { requireVault } from './admin-vaults.controller.js';
import { describeVaults, toLimits } from './describe-vaults.js';
import { VaultUsage } from './vault-usage.js';

type Described = Result<typeof resumeVault>;

interface Decision {
  data: Prisma.VaultUpdateInput;
  act: Pick<AdminAct, 'action' | 'details'>;
}

/** Suspends vaults and sets their limits, for administrators of the installation. */
@Controller()
export class AdministeredVaultsController {
  constructor(
    private readonly database: Database,
    private readonly usage: VaultUsage,
  ) {}

  @OperationHandler(suspendVault)
  suspend({ params, body }: Input<typeof suspendVault>, context: Context): Promise<Described> {
    const { reason, stop_runs } = body;
    return this.decide(params.id, context, ({ suspendedAt }) => ({
      data: { suspendedAt: suspendedAt ?? new Date(), suspendedReason: reason, stopRuns: stop_runs },
      act: { action: 'vault.suspended', details: { reason, stop_runs } },
    }));
  }

  @OperationHandler(resumeVault)
  resume({ params }: Input<typeof resumeVault>, context: Context): Promise<Described> {
    return this.decide(params.id, context, ({ suspendedAt }) =>
      suspendedAt === null
        ? null
        : {
            data: { suspendedAt: null, suspendedReason: null, stopRuns: false },
            act: { action: 'vault.resumed' },
          },
    );
  }

  @OperationHandler(setVaultLimits)
  setLimits({ params, body }: Input<typeof setVaultLimits>, context: Context): Promise<Described> {
    const { active_runs: activeRuns, dispatches, storage_bytes: storageBytes, live_rows: liveRows } = body;
    return this.decide(params.id, context, (vault) => ({
      data: { activeRuns, dispatches, storageBytes, liveRows },
      act: { action: 'vault.limits_changed', details: { before: { ...toLimits(vault) }, after: { ...body } } },
    }));
  }

  /** Usage is measured before the transaction, which must not wait for other services. */
  private async decide(id: string, context: Context, make: (vault: Vault) => Decision | null): Promise<Described> {
    const usage = isId(id) ? await this.usage.measure([id]) : new Map();
    return this.database.transaction(async (tx) => {
      let vault = await lockKnownVault(tx, id);
      const decision = make(vault);
      if (decision) {
        const data = { ...decision.data, adminNumber: { increment: 1 } };
        vault = await tx.vault.update({ where: { id }, data });
        tx.emit(vaultAdministered, toPayload(vault));
        const target = { type: 'vault', id, name: vault.name } as const;
        await writeAdminAudit(tx, { ...decision.act, target }, context);
      }
      const [described] = await describeVaults(tx, [vault], usage);
      return described as Described;
    });
  }
}

async function lockKnownVault(tx: Transaction, id: string): Promise<Vault> {
  if (!isId(id)) return requireVault(null, id);
  await lockVault(tx, id);
  return requireVault(await tx.vault.findUnique({ where: { id } }), id);
}

function toPayload(vault: Vault) {
  const { active_runs, dispatches, storage_bytes, live_rows } = toLimits(vault);
  return {
    ...{ vault: vault.id, number: vault.adminNumber },
    ...{ suspended: vault.suspendedAt !== null, stopRuns: vault.stopRuns },
    ...{ activeRuns: active_runs, dispatches, storageBytes: storage_bytes, liveRows: live_rows },
  };
}
