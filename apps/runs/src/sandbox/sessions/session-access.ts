import { Injectable } from '@nestjs/common';
import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { locateWorkflow } from '@millrace/contracts/workflows/workflows';
import type { Context } from '@millrace/messaging/rpc/context';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { SandboxSession } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';
import { isOpen } from './session-transitions.js';

/** Finds sessions for users. Only the user who started a session may use it, and only while they may run its workflow. */
@Injectable()
export class SessionAccess {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
  ) {}

  /**
   * @throws NotFoundError
   * @throws ForbiddenError
   */
  async requireSession(context: Context, id: string): Promise<SandboxSession> {
    const { caller } = context;
    const where = { id, ...inVault(caller), userId: caller.user };
    const session = isId(id) ? await this.database.client.sandboxSession.findFirst({ where }) : null;
    if (!session) throw new NotFoundError(`Sandbox session ${id}`);
    if (session.workflowId !== null) await this.requireWorkflow(context, session.workflowId);
    return session;
  }

  /** Throws like `requireSession`, and a ValidationError if the session has ended. */
  async requireOpenSession(context: Context, id: string): Promise<SandboxSession> {
    const session = await this.requireSession(context, id);
    if (isOpen(session)) return session;
    throw new ValidationError({
      'body.sessionId': 'names a session that has ended; start another one with POST /sandbox/session',
    });
  }

  /**
   * @throws NotFoundError
   * @throws ForbiddenError if the caller may not run this workflow
   */
  async requireWorkflow(context: Context, workflow: string): Promise<void> {
    const { caller, requestId } = context;
    const { space } = await this.rpc.call(locateWorkflow, { workflow }, { caller, requestId });
    context.requireSpaceRole(space, `Workflow ${workflow}`, 'space.run');
  }
}

/** Locks the sandboxes of a user until the transaction ends, so that no two transactions count them at once. */
export async function lockUser(tx: Transaction, { user }: Caller): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`sandboxes of ${user}`}, 0))`;
}
