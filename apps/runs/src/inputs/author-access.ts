import { resolveAbsentCaller } from '@millrace/contracts/auth/callers';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Context } from '@millrace/messaging/rpc/context';
import type { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { canRead } from '@millrace/persistence/tenancy';

type StandIn = Pick<Caller, 'spaces'> | null;

/**
 * Checks what the authors of a version and of its modules may read now. A default that an author wrote is read with their
 * rights as well as the runner's: otherwise an author could have a runner read for them what they may not read.
 */
export class AuthorAccess {
  private readonly known = new Map<string, Promise<StandIn>>();

  constructor(
    private readonly rpc: RpcClient,
    private readonly context: Context,
  ) {}

  /**
   * @param author null where nobody but the runner chose the value
   * @throws ValidationError where the author may not read what is in the space
   */
  async check(author: string | null, space: string): Promise<void> {
    if (author === null || author === this.context.caller.user) return;
    const access = await this.find(author);
    if (access !== null && canRead(access, space)) return;
    const problem = access === null ? 'is no longer a user of this vault' : 'may not read that output';
    throw new ValidationError(
      {},
      `the default is an output, and the author of the version that names it ${problem}; give the run another value, or change the default and save the workflow`,
    );
  }

  private find(user: string): Promise<StandIn> {
    const { caller, requestId } = this.context;
    const body = { user, vault: caller.vault };
    const found =
      this.known.get(user) ??
      this.rpc.call(resolveAbsentCaller, body, { caller: null, requestId }).then((response) => response.caller);
    this.known.set(user, found);
    return found;
  }
}
