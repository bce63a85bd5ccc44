import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import {
  listSpaceAssignments,
  setTeamSpaceRole,
  setUserSpaceRole,
  type spaceAssignment,
  unsetTeamSpaceRole,
  unsetUserSpaceRole,
} from '@millrace/contracts/auth/roles';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { SpaceRole } from '@millrace/contracts/kit/permissions';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { SpaceAssignment, Team, User } from '@millrace/persistence/generated/client';
import { pageArgs, searchFilter } from '@millrace/persistence/list';
import { inVault } from '@millrace/persistence/tenancy';
import { findMember } from '../members/find-member.js';
import { findTeam } from '../teams/find-team.js';
import { type Holder, assignSpaceRole, removeSpaceRole } from './change-space-role.js';
import { SpaceNamesService } from './space-names.service.js';

/** The roles of users and teams in a space. */
@Controller()
export class SpaceRolesController {
  constructor(
    private readonly database: Database,
    private readonly spaces: SpaceNamesService,
  ) {}

  @OperationHandler(listSpaceAssignments)
  async list(
    { params, query }: Input<typeof listSpaceAssignments>,
    context: Context,
  ): Promise<Result<typeof listSpaceAssignments>> {
    await this.requireSpace(params.spaceId, context);
    const nameFilter = searchFilter(query.search, ['name']).OR;
    const where = {
      ...inVault(context.caller),
      spaceId: params.spaceId,
      ...(nameFilter && { OR: [{ user: { OR: nameFilter } }, { team: { OR: nameFilter } }] }),
    };
    const { spaceAssignment } = this.database.client;
    const page = pageArgs(query, { created_date: 'createdAt' });
    const [rows, count] = await Promise.all([
      spaceAssignment.findMany({ where, include: { user: true, team: true }, ...page }),
      spaceAssignment.count({ where }),
    ]);
    return { results: rows.map(toAssignment), count };
  }

  @OperationHandler(setUserSpaceRole)
  setUser(
    { params, body }: Input<typeof setUserSpaceRole>,
    context: Context,
  ): Promise<Result<typeof setUserSpaceRole>> {
    return this.change(params.spaceId, context, async (tx, space) =>
      assignSpaceRole(tx, space, await findUserHolder(tx, params.id, context), body.role, context),
    );
  }

  @OperationHandler(unsetUserSpaceRole)
  unsetUser(
    { params }: Input<typeof unsetUserSpaceRole>,
    context: Context,
  ): Promise<Result<typeof unsetUserSpaceRole>> {
    return this.change(params.spaceId, context, async (tx, space) =>
      removeSpaceRole(tx, space, await findUserHolder(tx, params.id, context), context),
    );
  }

  @OperationHandler(setTeamSpaceRole)
  setTeam(
    { params, body }: Input<typeof setTeamSpaceRole>,
    context: Context,
  ): Promise<Result<typeof setTeamSpaceRole>> {
    return this.change(params.spaceId, context, async (tx, space) =>
      assignSpaceRole(tx, space, await findTeamHolder(tx, params.id, context), body.role, context),
    );
  }

  @OperationHandler(unsetTeamSpaceRole)
  unsetTeam(
    { params }: Input<typeof unsetTeamSpaceRole>,
    context: Context,
  ): Promise<Result<typeof unsetTeamSpaceRole>> {
    return this.change(params.spaceId, context, async (tx, space) =>
      removeSpaceRole(tx, space, await findTeamHolder(tx, params.id, context), context),
    );
  }

  private async change(
    id: string,
    context: Context,
    work: (tx: Transaction, space: { id: string; name: string }) => Promise<void>,
  ): Promise<{ success: boolean }> {
    const name = await this.requireSpace(id, context);
    return this.database.transaction(async (tx) => {
      await work(tx, { id, name });
      return { success: true };
    });
  }

  /** Without a role in the space, the caller gets the same error as for a space that does not exist. */
  private async requireSpace(space: string, context: Context): Promise<string> {
    context.requireSpaceRole(space, `Space ${space}`);
    return this.spaces.find(space, context);
  }
}

async function findUserHolder(tx: Transaction, id: string, { caller }: Context): Promise<Holder> {
  const user = await findMember(tx, id, caller);
  return { type: 'user', key: { userId: user.id }, name: user.email };
}

async function findTeamHolder(tx: Transaction, id: string, { caller }: Context): Promise<Holder> {
  const team = await findTeam(tx, id, caller);
  return { type: 'team', key: { teamId: team.id }, name: team.name };
}

type Row = SpaceAssignment & { user: User | null; team: Team | null };

const toAssignment = ({ id, role, user, team, createdAt }: Row): z.input<typeof spaceAssignment> => ({
  id,
  role: role as SpaceRole,
  ...(user && { user: { id: user.id, email: user.email, name: user.name } }),
  ...(team && { team: { id: String(team.id), name: team.name } }),
  created_date: createdAt.toISOString(),
});
