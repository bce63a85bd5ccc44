import { Controller } from '@nestjs/common';
import {
  getSpaceRetention,
  getVaultRetention,
  setSpaceRetention,
  setVaultRetention,
  unsetSpaceRetention,
} from '@millrace/contracts/auth/retention';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import { actorFromCaller, type NewAuditEntry, writeAuditEntry } from '../audit/write-audit-entry.js';
import { SpaceNamesService } from '../roles/space-names.service.js';
import { lockVault } from '../vaults/lock-vault.js';
import { changeRetention, type RetentionLimits } from './change-retention.js';
import { findRetention } from './find-retention.js';

type Policy = Result<typeof getVaultRetention>;

/** How long runs are kept. The runs service deletes the others. */
@Controller()
export class RetentionController {
  constructor(
    private readonly database: Database,
    private readonly spaces: SpaceNamesService,
  ) {}

  @OperationHandler(getVaultRetention)
  getVault(_: Input<typeof getVaultRetention>, { caller }: Context): Promise<Policy> {
    return findRetention(this.database.client, caller.vault);
  }

  @OperationHandler(setVaultRetention)
  setVault({ body }: Input<typeof setVaultRetention>, context: Context): Promise<Policy> {
    const { vault } = context.caller;
    return this.database.transaction(async (tx) => {
      const { name } = await lockVault(tx, vault);
      await this.change(tx, { type: 'vault', id: vault, name }, body, context);
      return findRetention(tx, vault);
    });
  }

  @OperationHandler(getSpaceRetention)
  async getSpace({ params }: Input<typeof getSpaceRetention>, context: Context): Promise<Policy> {
    await this.requireSpace(params.id, context);
    return findRetention(this.database.client, context.caller.vault, params.id);
  }

  @OperationHandler(setSpaceRetention)
  setSpace({ params, body }: Input<typeof setSpaceRetention>, context: Context): Promise<Policy> {
    return this.changeSpace(params.id, body, context);
  }

  @OperationHandler(unsetSpaceRetention)
  unsetSpace({ params }: Input<typeof unsetSpaceRetention>, context: Context): Promise<Policy> {
    return this.changeSpace(params.id, null, context);
  }

  private async changeSpace(id: string, limits: RetentionLimits | null, context: Context): Promise<Policy> {
    const name = await this.requireSpace(id, context);
    const { vault } = context.caller;
    return this.database.transaction(async (tx) => {
      await lockVault(tx, vault);
      await requireExistingSpace(tx, id);
      await this.change(tx, { type: 'space', id, name }, limits, context);
      return findRetention(tx, vault, id);
    });
  }

  private async change(
    tx: Transaction,
    target: NonNullable<NewAuditEntry['target']>,
    limits: RetentionLimits | null,
    context: Context,
  ): Promise<void> {
    const scope = { id: target.id, vault: context.caller.vault };
    const { changed, former } = await changeRetention(tx, scope, limits);
    if (!changed) return;
    const details = { before: former && { ...former }, after: limits && { ...limits } };
    await writeAuditEntry(tx, { ...actorFromCaller(context), action: 'retention.changed', target, details });
  }

  private async requireSpace(space: string, context: Context): Promise<string> {
    context.requireSpaceRole(space, `Space ${space}`);
    return this.spaces.find(space, context);
  }
}

/** Locks what is known about a space, so that it is not deleted in the meantime, and its limits with it. */
async function requireExistingSpace(tx: Transaction, space: string): Promise<void> {
  const [known] = await tx.$queryRaw<{ deleted: boolean }[]>`
    INSERT INTO auth.known_space AS k (space_id) VALUES (${space}::uuid)
    ON CONFLICT (space_id) DO UPDATE SET deleted = k.deleted RETURNING deleted`;
  if (known?.deleted) throw new NotFoundError(`Space ${space}`);
}
