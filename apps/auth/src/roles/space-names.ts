import { Injectable } from '@nestjs/common';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import { findSpaceOf } from '@millrace/contracts/workflows/spaces';
import type { Context } from '@millrace/messaging/rpc/context';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';

/** Spaces are the workflows service's; roles in them are kept here. */
@Injectable()
export class SpaceNames {
  constructor(private readonly rpc: RpcClient) {}

  /** @throws NotFoundError where the caller's vault has no such space */
  async find(space: string, { caller, requestId }: Context): Promise<string> {
    const { name } = await this.rpc.call(findSpaceOf, { vault: caller.vault, space }, { caller: null, requestId });
    if (name === null) throw new NotFoundError('Space');
    return name;
  }
}
