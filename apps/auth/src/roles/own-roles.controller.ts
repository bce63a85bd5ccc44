import { Controller } from '@nestjs/common';
import { getSpaceRoles, getVaultRoles } from '@millrace/contracts/auth/roles';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { strongestSpaceRole, strongestVaultRole } from '@millrace/contracts/kit/permissions';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { findSpaceRoles, findVaultRoles } from './find-roles.js';
import { SpaceNamesService } from './space-names.service.js';

/** The caller's own roles. */
@Controller()
export class OwnRolesController {
  constructor(
    private readonly database: Database,
    private readonly spaces: SpaceNamesService,
  ) {}

  @OperationHandler(getVaultRoles)
  async vault(_: Input<typeof getVaultRoles>, { caller }: Context): Promise<Result<typeof getVaultRoles>> {
    const results = await findVaultRoles(this.database.client, caller.user);
    return { results, effective: strongestVaultRole(results.map(({ role }) => role)) };
  }

  @OperationHandler(getSpaceRoles)
  async space({ params }: Input<typeof getSpaceRoles>, context: Context): Promise<Result<typeof getSpaceRoles>> {
    const { caller } = context;
    await this.spaces.find(params.spaceId, context);
    const results = await findSpaceRoles(this.database.client, caller.user, params.spaceId);
    const effective = caller.spaces === 'all' ? 'owner' : strongestSpaceRole(results.map(({ role }) => role));
    return { results, effective };
  }
}
