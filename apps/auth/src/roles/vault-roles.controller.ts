import { Controller } from '@nestjs/common';
import {
  setTeamVaultRole,
  setUserVaultRole,
  unsetTeamVaultRole,
  unsetUserVaultRole,
} from '@millrace/contracts/auth/roles';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { DEFAULT_ROLES, type VaultRole } from '@millrace/contracts/kit/permissions';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import { actorFromCaller, writeAuditEntry } from '../audit/write-audit-entry.js';
import { revokeInvitationsBy } from '../invitations/revoke-invitations.js';
import { findMember } from '../members/find-member.js';
import { findTeam } from '../teams/find-team.js';
import { lockVault } from '../vaults/lock-vault.js';
import { requireAnotherOwner } from './require-another-owner.js';
import { requireRoles } from './require-roles.js';

/** The roles of users and teams in the vault. */
@Controller()
export class VaultRolesController {
  constructor(private readonly database: Database) {}

  @OperationHandler(setUserVaultRole)
  setUser(
    { params, body }: Input<typeof setUserVaultRole>,
    context: Context,
  ): Promise<Result<typeof setUserVaultRole>> {
    return this.database.transaction((tx) => this.changeUser(tx, params.id, body.role, context));
  }

  @OperationHandler(unsetUserVaultRole)
  unsetUser(
    { params }: Input<typeof unsetUserVaultRole>,
    context: Context,
  ): Promise<Result<typeof unsetUserVaultRole>> {
    return this.database.transaction((tx) => this.changeUser(tx, params.id, null, context));
  }

  @OperationHandler(setTeamVaultRole)
  setTeam(
    { params, body }: Input<typeof setTeamVaultRole>,
    context: Context,
  ): Promise<Result<typeof setTeamVaultRole>> {
    return this.database.transaction((tx) => this.changeTeam(tx, params.id, body.role, context));
  }

  @OperationHandler(unsetTeamVaultRole)
  unsetTeam(
    { params }: Input<typeof unsetTeamVaultRole>,
    context: Context,
  ): Promise<Result<typeof unsetTeamVaultRole>> {
    return this.database.transaction((tx) => this.changeTeam(tx, params.id, null, context));
  }

  /** @param role null resets it to the default */
  private async changeUser(tx: Transaction, id: string, role: VaultRole | null, context: Context) {
    const vault = await lockVault(tx, context.caller.vault);
    const user = await findMember(tx, id, context.caller);
    const next = role ?? DEFAULT_ROLES.vault;
    if (next === user.vaultRole) return { success: true };
    if (next !== DEFAULT_ROLES.vault) requireRoles(vault);
    if (user.vaultRole === 'owner') {
      await requireAnotherOwner(tx, vault.id, user.id);
      await revokeInvitationsBy(tx, user.id);
    }
    await tx.user.update({ where: { id: user.id }, data: { vaultRole: next } });
    await writeAuditEntry(tx, {
      ...actorFromCaller(context),
      action: role === null ? 'vault_role.removed' : 'vault_role.assigned',
      target: { type: 'user', id: user.id, name: user.email },
      details: { role: next, before: user.vaultRole },
    });
    return { success: true };
  }

  private async changeTeam(tx: Transaction, id: string, role: VaultRole | null, context: Context) {
    const vault = await lockVault(tx, context.caller.vault);
    const team = await findTeam(tx, id, context.caller);
    if (role === team.vaultRole) return { success: true };
    if (role !== null) requireRoles(vault);
    await tx.team.update({ where: { id: team.id }, data: { vaultRole: role } });
    await writeAuditEntry(tx, {
      ...actorFromCaller(context),
      action: role === null ? 'vault_role.removed' : 'vault_role.assigned',
      target: { type: 'team', id: String(team.id), name: team.name },
      details: { role, before: team.vaultRole },
    });
    return { success: true };
  }
}
