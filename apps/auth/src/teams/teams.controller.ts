import { Controller } from '@nestjs/common';
import {
  addTeamMember,
  createTeam,
  deleteTeam,
  getTeam,
  listTeams,
  removeTeamMember,
  updateTeam,
} from '@millrace/contracts/auth/teams';
import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import { pageArgs, searchFilter } from '@millrace/persistence/list';
import { inVault } from '@millrace/persistence/tenancy';
import { type NewAuditEntry, actorFromCaller, writeAuditEntry } from '../audit/write-audit-entry.js';
import { findMember } from '../members/find-member.js';
import { requireRoles } from '../roles/require-roles.js';
import { type LockedVault, lockVault } from '../vaults/lock-vault.js';
import { type FullTeam, findTeam, toTeam, withMembers } from './find-team.js';

@Controller()
export class TeamsController {
  constructor(private readonly database: Database) {}

  @OperationHandler(listTeams)
  async list({ query }: Input<typeof listTeams>, { caller }: Context): Promise<Result<typeof listTeams>> {
    const where = { ...inVault(caller), ...searchFilter(query.search, ['name', 'description']) };
    const { team } = this.database.client;
    const page = pageArgs(query, { created_date: 'createdAt', modified_date: 'modifiedAt' });
    const [rows, count] = await Promise.all([
      team.findMany({ where, include: withMembers, ...page }),
      team.count({ where }),
    ]);
    return { results: rows.map(toTeam), count };
  }

  @OperationHandler(createTeam)
  create({ body }: Input<typeof createTeam>, context: Context): Promise<Result<typeof createTeam>> {
    return this.change(context, async (tx) => {
      await this.requireUniqueName(tx, body.name, context);
      const data = { ...inVault(context.caller), name: body.name, description: body.description };
      const created = await tx.team.create({ data, include: withMembers });
      return { team: created, action: 'team.created' };
    });
  }

  @OperationHandler(getTeam)
  async get({ params }: Input<typeof getTeam>, { caller }: Context): Promise<Result<typeof getTeam>> {
    return toTeam(await findTeam(this.database.client, params.id, caller));
  }

  @OperationHandler(updateTeam)
  update({ params, body }: Input<typeof updateTeam>, context: Context): Promise<Result<typeof updateTeam>> {
    return this.change(context, async (tx) => {
      const { id, name } = await findTeam(tx, params.id, context.caller);
      if (body.name !== undefined && body.name !== name) await this.requireUniqueName(tx, body.name, context);
      const data = {
        ...(body.name !== undefined && { name: body.name }),
        ...(body.description !== undefined && { description: body.description }),
      };
      const team = await tx.team.update({ where: { id }, data, include: withMembers });
      return { team, action: 'team.updated', details: data };
    });
  }

  @OperationHandler(deleteTeam)
  async delete({ params }: Input<typeof deleteTeam>, context: Context): Promise<null> {
    await this.change(context, async (tx) => {
      const team = await findTeam(tx, params.id, context.caller);
      await tx.team.delete({ where: { id: team.id } });
      return { team, action: 'team.deleted', details: { members: team.members.map(({ userId }) => userId) } };
    });
    return null;
  }

  @OperationHandler(addTeamMember)
  addMember({ params }: Input<typeof addTeamMember>, context: Context): Promise<Result<typeof addTeamMember>> {
    return this.change(context, async (tx, vault) => {
      const team = await findTeam(tx, params.id, context.caller);
      const user = await findMember(tx, params.userId, context.caller);
      if (team.members.some(({ userId }) => userId === user.id)) return { team, action: null };
      if (await hasAnyRole(tx, team)) requireRoles(vault);
      await tx.teamMember.create({ data: { teamId: team.id, userId: user.id } });
      return {
        team: await this.updateModified(tx, team),
        action: 'team.member_added',
        details: { user: user.id, email: user.email },
      };
    });
  }

  @OperationHandler(removeTeamMember)
  removeMember({ params }: Input<typeof removeTeamMember>, context: Context): Promise<Result<typeof removeTeamMember>> {
    return this.change(context, async (tx) => {
      const team = await findTeam(tx, params.id, context.caller);
      const member = team.members.find(({ userId }) => userId === params.userId);
      if (!member) throw new NotFoundError(`Member ${params.userId} of team ${params.id}`);
      const { userId, teamId } = member;
      await tx.teamMember.delete({ where: { teamId_userId: { teamId, userId } } });
      const details = { user: userId, email: member.user.email };
      return { team: await this.updateModified(tx, team), action: 'team.member_removed', details };
    });
  }

  private updateModified(tx: Transaction, { id }: FullTeam): Promise<FullTeam> {
    return tx.team.update({ where: { id }, data: { modifiedAt: new Date() }, include: withMembers });
  }

  /** Serializes changes to the teams of a vault, and writes the audit log. */
  private change(
    context: Context,
    work: (
      tx: Transaction,
      vault: LockedVault,
    ) => Promise<{
      team: FullTeam;
      action: NewAuditEntry['action'] | null;
      details?: NonNullable<NewAuditEntry['details']>;
    }>,
  ): Promise<ReturnType<typeof toTeam>> {
    return this.database.transaction(async (tx) => {
      const vault = await lockVault(tx, context.caller.vault);
      const { team, action, details = {} } = await work(tx, vault);
      const target = { type: 'team', id: String(team.id), name: team.name } as const;
      if (action) await writeAuditEntry(tx, { ...actorFromCaller(context), action, target, details });
      return toTeam(team);
    });
  }

  private async requireUniqueName(tx: Transaction, name: string, { caller }: Context): Promise<void> {
    const others = await tx.team.count({ where: { ...inVault(caller), name } });
    if (others > 0) throw new ValidationError({ 'body.name': `is the name of another team (got "${name}")` });
  }
}

/** Whether joining the team gives a user roles. */
const hasAnyRole = async (tx: Transaction, { id, vaultRole }: FullTeam): Promise<boolean> =>
  vaultRole !== null || (await tx.spaceAssignment.count({ where: { teamId: id } })) > 0;
