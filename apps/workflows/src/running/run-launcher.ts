import { Injectable } from '@nestjs/common';
import { resolveAbsentCaller } from '@millrace/contracts/auth/callers';
import { isRestricted } from '@millrace/contracts/billing/restriction';
import { ApiError, ForbiddenError } from '@millrace/contracts/kit/api-error';
import type { Request, Result } from '@millrace/contracts/kit/operation';
import { launchRun } from '@millrace/contracts/runs/runs';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';

/** Services that restart are back within this time. */
const CALL_TIMEOUT_MS = 3_000;

/** Starts runs in the name of somebody who is away, with the roles that they have now. */
@Injectable()
export class RunLauncher {
  constructor(private readonly rpc: RpcClient) {}

  /** @throws ForbiddenError where they may not; Restricted where nobody may; ValidationError where the workflow cannot run, or the inputs do not fit it */
  async launch(
    author: { user: string; vault: string },
    wanted: Request<typeof launchRun>['body'],
    requestId: string,
  ): Promise<Result<typeof launchRun>> {
    const options = { retryForMs: CALL_TIMEOUT_MS };
    const { caller } = await this.rpc.call(resolveAbsentCaller, author, { caller: null, requestId }, options);
    if (!caller)
      throw new ForbiddenError('Its author is no longer a user of the vault; somebody who is has to set it anew');
    try {
      return await this.rpc.call(launchRun, wanted, { caller, requestId }, options);
    } catch (error) {
      const isClosed =
        error instanceof ApiError && ['not_found', 'forbidden'].includes(error.code) && !isRestricted(error);
      throw isClosed
        ? new ForbiddenError('Its author may not run the workflow any more; somebody who may has to set it anew')
        : error;
    }
  }
}
