import { Injectable } from '@nestjs/common';
import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import { locateWorkflow } from '@millrace/contracts/workflows/workflows';
import type { Context } from '@millrace/messaging/rpc/context';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database } from '@millrace/persistence/database';
import type { SandboxSession } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';
import { isOpen } from './session-transitions.js';

/** Sessions as their users reach them: nobody but who started one, and only as long as they may run in the workflow's space. */
@Injectable()
export class SessionAccess {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
  ) {}

  /** @throws NotFoundError, ForbiddenError */
  async requireSession(context: Context, id: string): Promise<SandboxSession> {
    const { caller } = context;
    const where = { id, ...inVault(caller), userId: caller.user };
    const session = isId(id) ? await this.database.client.sandboxSession.findFirst({ where }) : null;
    if (!session) throw new NotFoundError('Sandbox session');
    if (session.workflowId !== null) await this.requireWorkflow(context, session.workflowId);
    return session;
  }

  /** @throws as `enter`, and ValidationError where it has ended */
  async requireOpenSession(context: Context, id: string): Promise<SandboxSession> {
    const session = await this.requireSession(context, id);
    if (isOpen(session)) return session;
    throw new ValidationError({ 'body.sessionId': 'this session has ended; POST /sandbox/session starts another one' });
  }

  /** @throws NotFoundError, ForbiddenError where the caller may not run this workflow */
  async requireWorkflow(context: Context, workflow: string): Promise<void> {
    const { caller, requestId } = context;
    const { space } = await this.rpc.call(locateWorkflow, { workflow }, { caller, requestId });
    context.requireSpaceRole(space, 'Workflow', 'space.run');
  }
}
