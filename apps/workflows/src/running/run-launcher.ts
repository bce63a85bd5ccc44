import { Injectable } from '@nestjs/common';
import { resolveAbsentCaller } from '@millrace/contracts/auth/callers';
import { isRestricted } from '@millrace/contracts/billing/restriction';
import { ApiError, ForbiddenError } from '@millrace/contracts/kit/api-error';
import type { Request, Result } from '@millrace/contracts/kit/operation';
import { launchRun } from '@millrace/contracts/runs/runs';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';

/** A service restarts within this time. */
const CALL_TIMEOUT_MS = 3_000;

/** Starts runs on behalf of a user who is not signed in, with the roles that the user has now. */
@Injectable()
export class RunLauncher {
  constructor(private readonly rpc: RpcClient) {}

  /**
   * @throws ForbiddenError if the author may no longer run the workflow, ApiError for a restriction of the vault,
   *   ValidationError if the workflow cannot run or the inputs do not match it
   */
  async launch(
    author: { user: string; vault: string },
    run: Request<typeof launchRun>['body'],
    requestId: string,
  ): Promise<Result<typeof launchRun>> {
    const options = { retryForMs: CALL_TIMEOUT_MS };
    const { caller } = await this.rpc.call(resolveAbsentCaller, author, { caller: null, requestId }, options);
    if (!caller)
      throw new ForbiddenError(
        `The author, user ${author.user}, is no longer a member of this vault. A member has to set it up again.`,
      );
    try {
      return await this.rpc.call(launchRun, run, { caller, requestId }, options);
    } catch (error) {
      const isDenied =
        error instanceof ApiError && ['not_found', 'forbidden'].includes(error.code) && !isRestricted(error);
      throw isDenied
        ? new ForbiddenError(
            `The author, user ${author.user}, may no longer run the workflow. A user who may has to set it up again.`,
          )
        : error;
    }
  }
}
