import { resolveAbsentCaller } from '@millrace/contracts/auth/callers';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Context } from '@millrace/messaging/rpc/context';
import type { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { canRead } from '@millrace/persistence/tenancy';

/** The spaces that a user may read; null if the user no longer exists in the vault. */
type UserAccess = Pick<Caller, 'spaces'> | null;

/**
 * Checks the current rights of the authors of a version and of its modules. Reading a default requires the author's rights as
 * well as the rights of the user who starts the run. Otherwise an author could use another user to read a forbidden record.
 */
export class AuthorAccess {
  private readonly cached = new Map<string, Promise<UserAccess>>();

  constructor(
    private readonly rpc: RpcClient,
    private readonly context: Context,
  ) {}

  /**
   * @param author null if the user who starts the run chose the value
   * @throws ValidationError if the author may not read records of the space
   */
  async check(author: string | null, space: string): Promise<void> {
    if (author === null || author === this.context.caller.user) return;
    const access = await this.find(author);
    if (access !== null && canRead(access, space)) return;
    const problem = access === null ? 'is no longer a user of this vault' : 'may not read that output';
    throw new ValidationError(
      {},
      `has a default that is an output, and the author of that version ${problem}; give the run another value, or change the default and save the workflow`,
    );
  }

  private find(user: string): Promise<UserAccess> {
    const { caller, requestId } = this.context;
    const body = { user, vault: caller.vault };
    const access =
      this.cached.get(user) ??
      this.rpc.call(resolveAbsentCaller, body, { caller: null, requestId }).then((response) => response.caller);
    this.cached.set(user, access);
    return access;
  }
}
