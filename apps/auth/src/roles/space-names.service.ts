import { Injectable } from '@nestjs/common';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import { findSpaceOf } from '@millrace/contracts/workflows/spaces';
import type { Context } from '@millrace/messaging/rpc/context';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';

/** Looks up spaces, which the workflows service owns; auth owns the roles in them. */
@Injectable()
export class SpaceNamesService {
  constructor(private readonly rpc: RpcClient) {}

  /** @throws NotFoundError if the space does not exist in the caller's vault */
  async find(space: string, { caller, requestId }: Context): Promise<string> {
    const { name } = await this.rpc.call(findSpaceOf, { vault: caller.vault, space }, { caller: null, requestId });
    if (name === null) throw new NotFoundError(`Space ${space}`);
    return name;
  }
}
