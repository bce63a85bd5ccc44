import { Injectable } from '@nestjs/common';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Permission } from '@millrace/contracts/kit/permissions';
import { findSpaceOf } from '@millrace/contracts/workflows/spaces';
import { locateWorkflow } from '@millrace/contracts/workflows/workflows';
import type { Context } from '@millrace/messaging/rpc/context';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';

/** Spaces and workflows, which another service knows. */
@Injectable()
export class SpaceAccess {
  constructor(private readonly rpc: RpcClient) {}

  /**
   * Lets the caller into the space that a request names.
   * @param by the row of the permission matrix that counts instead of the operation's own
   * @param place of the id in the request
   * @throws NotFoundError and ForbiddenError for the caller's role there; ValidationError for whoever enters every space and names none
   */
  async authorizeSpace(given: string, context: Context, by: Permission | undefined, place: string): Promise<string> {
    const space = given.toLowerCase();
    context.requireSpaceRole(space, 'Space', by);
    const { name } = await this.rpc.call(findSpaceOf, { vault: context.caller.vault, space }, context);
    if (name === null) throw new ValidationError({ [place]: 'is no space of this vault' });
    return space;
  }

  /** Lets the caller into the space of a workflow. @throws NotFoundError, ForbiddenError */
  async authorizeWorkflow(workflow: string, context: Context, by?: Permission): Promise<string> {
    const { id, space } = await this.rpc.call(locateWorkflow, { workflow }, context);
    context.requireSpaceRole(space, 'Workflow', by);
    return id;
  }

  /** The id of a workflow that the caller may see, null for an empty one. @throws NotFoundError, ForbiddenError */
  async resolveWorkflow(workflow: string | undefined, context: Context): Promise<string | null | undefined> {
    if (workflow === undefined) return undefined;
    return workflow === '' ? null : (await this.rpc.call(locateWorkflow, { workflow }, context)).id;
  }
}
