import { Controller, Inject } from '@nestjs/common';
import { ApiError, NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { getSandbox, OPEN_SANDBOX_STATUSES, startSandbox, stopSandbox } from '@millrace/contracts/runs/sandbox';
import { sandboxReleases } from '@millrace/contracts/runs/sandbox-hosts';
import { Broker } from '@millrace/messaging/broker/broker';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { SandboxSession } from '@millrace/persistence/generated/client';
import { isId, newId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';
import { requireUnrestricted } from '../../restrictions/require-unrestricted.js';
import { SandboxHosts } from '../exec/sandbox-hosts.js';
import { endSessions } from './end-sessions.js';
import { SANDBOX_TIMES, type SandboxTimes } from './sandbox-times.js';
import { lockUser, SessionAccess } from './session-access.js';
import { SessionReconciler } from './session-reconciler.js';
import { toSession } from './to-session.js';

/** The workflow or the agent session that a sandbox belongs to. */
interface SandboxScope {
  workflowId?: string | undefined;
  agentSessionId?: string | undefined;
}

/** Sessions that one user may have open at once. */
const MAX_OPEN_SESSIONS = 20;
const IS_OPEN = { status: { in: [...OPEN_SANDBOX_STATUSES] } };

@Controller()
export class SandboxSessionsController {
  constructor(
    private readonly database: Database,
    private readonly broker: Broker,
    private readonly hosts: SandboxHosts,
    private readonly sessions: SessionAccess,
    private readonly reconciler: SessionReconciler,
    @Inject(SANDBOX_TIMES) private readonly times: SandboxTimes,
  ) {}

  @OperationHandler(startSandbox)
  async start({ body }: Input<typeof startSandbox>, context: Context): Promise<Result<typeof startSandbox>> {
    const { caller } = context;
    requireOwnVault(caller, body.vaultId);
    if (body.workflowId !== undefined) await this.sessions.requireWorkflow(context, body.workflowId);
    await this.hosts.requireSandboxWorker();
    const session = await this.database.transaction(async (tx) => toSession(await this.findOrCreate(tx, caller, body)));
    if (body.workflowId !== undefined) await this.confirmWorkflow(context, body.workflowId);
    this.reconciler.wake();
    return session;
  }

  @OperationHandler(getSandbox)
  async status({ query }: Input<typeof getSandbox>, { caller }: Context): Promise<Result<typeof getSandbox>> {
    requireOwnVault(caller, query.vaultId);
    const where = { ...ownedBy(caller), AND: inScopes(query) };
    return toSession(
      await this.database.client.sandboxSession.findFirst({ where, orderBy: [{ startedAt: 'desc' }, { id: 'desc' }] }),
    );
  }

  @OperationHandler(stopSandbox)
  async stop({ query }: Input<typeof stopSandbox>, { caller }: Context): Promise<Result<typeof stopSandbox>> {
    const { sessionId, agentSessionId, vaultId } = query;
    if (vaultId !== undefined) requireOwnVault(caller, vaultId);
    if (sessionId !== undefined && !isId(sessionId)) return { success: false };
    const filter = { ...(sessionId !== undefined && { id: sessionId }), AND: inScopes({ agentSessionId }) };
    const found = await this.database.client.sandboxSession.findMany({
      where: { ...ownedBy(caller), ...filter },
      select: { id: true },
    });
    const sessions = found.map(({ id }) => id);
    await this.database.transaction((tx) => endSessions(tx, sessions, 'stopped', 'The session was stopped'));
    // If the broker loses this, the worker's next heartbeat repeats it.
    this.broker.publish(sandboxReleases, { sessions });
    return { success: sessions.length > 0 };
  }

  /**
   * The workflow may have been deleted since the first check, and its event handled before there was a workspace to delete.
   * @throws NotFoundError
   */
  private async confirmWorkflow(context: Context, workflowId: string): Promise<void> {
    try {
      await this.sessions.requireWorkflow(context, workflowId);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') {
        const where = { ...ownedBy(context.caller), scope: scopeKey({ workflowId }) };
        await this.database.transaction((tx) => tx.sandboxWorkspace.deleteMany({ where }));
      }
      throw error;
    }
  }

  private async findOrCreate(tx: Transaction, caller: Caller, scope: SandboxScope): Promise<SandboxSession> {
    // Otherwise two requests could count the open sessions, or find none, at once.
    await lockUser(tx, caller);
    const [workspace] = await tx.$queryRaw<{ id: string }[]>`
      INSERT INTO runs.sandbox_workspace (id, vault_id, user_id, scope)
      VALUES (${newId()}::uuid, ${caller.vault}::uuid, ${caller.user}::uuid, ${scopeKey(scope)})
      ON CONFLICT (vault_id, user_id, scope) DO UPDATE SET scope = excluded.scope RETURNING id`;
    const workspaceId = workspace?.id ?? '';
    const existing = await tx.sandboxSession.findFirst({ where: { workspaceId, ...IS_OPEN } });
    if (existing && existing.expiresAt > new Date()) return existing;
    if (existing) await endSessions(tx, [existing.id], 'stopped', 'There was no activity in the sandbox');
    await requireUnrestricted(tx, caller.vault);
    const open = await tx.sandboxSession.count({ where: { ...ownedBy(caller), ...IS_OPEN } });
    if (open >= MAX_OPEN_SESSIONS) {
      throw new ApiError(
        'rate_limited',
        `At most ${MAX_OPEN_SESSIONS} sandboxes can be open at once. Stop one with DELETE /sandbox/session.`,
        {
          retry_after: 60,
        },
      );
    }
    const now = Date.now();
    return tx.sandboxSession.create({
      data: {
        ...{ id: newId(), workspaceId, vaultId: caller.vault, userId: caller.user, status: 'starting' },
        workflowId: scope.workflowId ?? null,
        agentSession: scope.agentSessionId ?? null,
        ...{ startedAt: new Date(now), lastActiveAt: new Date(now) },
        expiresAt: new Date(now + Math.min(this.times.idleMs, this.times.lifetimeMs)),
        endsAt: new Date(now + this.times.lifetimeMs),
      },
    });
  }
}

const ownedBy = (caller: Caller) => ({ ...inVault(caller), userId: caller.user });

const scopeKey = ({ workflowId, agentSessionId }: SandboxScope): string =>
  workflowId === undefined ? `agent ${agentSessionId ?? ''}` : `workflow ${workflowId.toLowerCase()}`;

const inScopes = ({ workflowId, agentSessionId }: SandboxScope) => [
  ...(workflowId === undefined ? [] : [{ workspace: { scope: scopeKey({ workflowId }) } }]),
  ...(agentSessionId === undefined ? [] : [{ workspace: { scope: scopeKey({ agentSessionId }) } }]),
];

function requireOwnVault({ vault }: Caller, requested: string): void {
  if (requested.toLowerCase() !== vault) throw new NotFoundError(`Vault ${requested}`);
}
