import { Injectable } from '@nestjs/common';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Permission } from '@millrace/contracts/kit/permissions';
import { findSpaceOf } from '@millrace/contracts/workflows/spaces';
import { locateWorkflow } from '@millrace/contracts/workflows/workflows';
import type { Context } from '@millrace/messaging/rpc/context';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { quote } from '@millrace/query/parse/query-error';

/** Checks what a caller may do in a space or with a workflow. The `workflows` service owns both. */
@Injectable()
export class SpaceAccess {
  constructor(private readonly rpc: RpcClient) {}

  /**
   * Checks the caller's role in the space that a request names.
   * @param by permission that counts instead of the operation's own
   * @param detailsKey where in the request the id is
   * @returns the space's id in lower case
   * @throws NotFoundError and ForbiddenError for the caller's role; ValidationError if the caller has a role in all
   *   spaces and this one does not exist
   */
  async authorizeSpace(id: string, context: Context, by: Permission | undefined, detailsKey: string): Promise<string> {
    const space = id.toLowerCase();
    context.requireSpaceRole(space, `Space ${id}`, by);
    const { name } = await this.rpc.call(findSpaceOf, { vault: context.caller.vault, space }, context);
    if (name === null) throw new ValidationError({ [detailsKey]: `must be a space of this vault (got ${quote(id)})` });
    return space;
  }

  /** Checks the caller's role in a workflow's space. @throws NotFoundError, ForbiddenError */
  async authorizeWorkflow(workflow: string, context: Context, by?: Permission): Promise<string> {
    const { id, space } = await this.rpc.call(locateWorkflow, { workflow }, context);
    context.requireSpaceRole(space, `Workflow ${workflow}`, by);
    return id;
  }

  /** The id of a workflow that the caller may see; null if `workflow` is empty. @throws NotFoundError, ForbiddenError */
  async resolveWorkflow(workflow: string | undefined, context: Context): Promise<string | null | undefined> {
    if (workflow === undefined) return undefined;
    return workflow === '' ? null : (await this.rpc.call(locateWorkflow, { workflow }, context)).id;
  }
}
