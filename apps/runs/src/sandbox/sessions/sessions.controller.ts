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
import { lockUser } from './lock-user.js';
import { SANDBOX_TIMES, type SandboxTimes } from './sandbox-times.js';
import { SessionAccess } from './session-access.js';
import { SessionReconciler } from './session-reconciler.js';
import { toSession } from './to-session.js';

interface Place {
  workflowId?: string | undefined;
  agentSessionId?: string | undefined;
}

/** Sessions that one user may have open at the same time. */
const MAX_OPEN = 20;
const OPEN = { status: { in: [...OPEN_SANDBOX_STATUSES] } };

@Controller()
export class SandboxSessionsController {
  constructor(
    private readonly database: Database,
    private readonly broker: Broker,
    private readonly hosts: SandboxHosts,
    private readonly sessions: SessionAccess,
    private readonly tending: SessionReconciler,
    @Inject(SANDBOX_TIMES) private readonly times: SandboxTimes,
  ) {}

  @OperationHandler(startSandbox)
  async start({ body }: Input<typeof startSandbox>, context: Context): Promise<Result<typeof startSandbox>> {
    const { caller } = context;
    ownVault(caller, body.vaultId);
    if (body.workflowId !== undefined) await this.sessions.requireWorkflow(context, body.workflowId);
    await this.hosts.requireSandboxWorker();
    const answer = await this.database.transaction(async (tx) => toSession(await this.findOrMake(tx, caller, body)));
    if (body.workflowId !== undefined) await this.confirm(context, body.workflowId);
    this.tending.wake();
    return answer;
  }

  @OperationHandler(getSandbox)
  async status({ query }: Input<typeof getSandbox>, { caller }: Context): Promise<Result<typeof getSandbox>> {
    ownVault(caller, query.vaultId);
    const where = { ...ownedBy(caller), AND: inScopes(query) };
    return toSession(
      await this.database.client.sandboxSession.findFirst({ where, orderBy: [{ startedAt: 'desc' }, { id: 'desc' }] }),
    );
  }

  @OperationHandler(stopSandbox)
  async stop({ query }: Input<typeof stopSandbox>, { caller }: Context): Promise<Result<typeof stopSandbox>> {
    const { sessionId, agentSessionId, vaultId } = query;
    if (vaultId !== undefined) ownVault(caller, vaultId);
    if (sessionId !== undefined && !isId(sessionId)) return { success: false };
    const which = { ...(sessionId !== undefined && { id: sessionId }), AND: inScopes({ agentSessionId }) };
    const found = await this.database.client.sandboxSession.findMany({
      where: { ...ownedBy(caller), ...which },
      select: { id: true },
    });
    const sessions = found.map(({ id }) => id);
    await this.database.transaction((tx) => endSessions(tx, sessions, 'stopped', 'It was stopped'));
    // Said again at each sign of life of the worker, should it be lost.
    this.broker.publish(sandboxReleases, { sessions });
    return { success: sessions.length > 0 };
  }

  /**
   * A workflow may have been deleted since it was looked at, and what is told of that heard before there was anything to
   * remove.
   * @throws NotFoundError
   */
  private async confirm(context: Context, workflowId: string): Promise<void> {
    try {
      await this.sessions.requireWorkflow(context, workflowId);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') {
        const where = { ...ownedBy(context.caller), scope: scopeOf({ workflowId }) };
        await this.database.transaction((tx) => tx.sandboxWorkspace.deleteMany({ where }));
      }
      throw error;
    }
  }

  private async findOrMake(tx: Transaction, caller: Caller, place: Place): Promise<SandboxSession> {
    // One of a user at a time: else two would count the open ones, or find none, at once.
    await lockUser(tx, caller);
    const [workspace] = await tx.$queryRaw<{ id: string }[]>`
      INSERT INTO runs.sandbox_workspace (id, vault_id, user_id, scope)
      VALUES (${newId()}::uuid, ${caller.vault}::uuid, ${caller.user}::uuid, ${scopeOf(place)})
      ON CONFLICT (vault_id, user_id, scope) DO UPDATE SET scope = excluded.scope RETURNING id`;
    const workspaceId = workspace?.id ?? '';
    const former = await tx.sandboxSession.findFirst({ where: { workspaceId, ...OPEN } });
    if (former && former.expiresAt > new Date()) return former;
    if (former) await endSessions(tx, [former.id], 'stopped', 'Nothing happened in it');
    await requireUnrestricted(tx, caller.vault);
    const open = await tx.sandboxSession.count({ where: { ...ownedBy(caller), ...OPEN } });
    if (open >= MAX_OPEN) {
      throw new ApiError('rate_limited', `${MAX_OPEN} sandboxes are open; stop one of them first`, {
        retry_after: 60,
      });
    }
    const now = Date.now();
    return tx.sandboxSession.create({
      data: {
        ...{ id: newId(), workspaceId, vaultId: caller.vault, userId: caller.user, status: 'starting' },
        workflowId: place.workflowId ?? null,
        agentSession: place.agentSessionId ?? null,
        ...{ startedAt: new Date(now), lastActiveAt: new Date(now) },
        expiresAt: new Date(now + Math.min(this.times.idleMs, this.times.lifeMs)),
        endsAt: new Date(now + this.times.lifeMs),
      },
    });
  }
}

const ownedBy = (caller: Caller) => ({ ...inVault(caller), userId: caller.user });

const scopeOf = ({ workflowId, agentSessionId }: Place): string =>
  workflowId === undefined ? `agent ${agentSessionId ?? ''}` : `workflow ${workflowId.toLowerCase()}`;

const inScopes = ({ workflowId, agentSessionId }: Place) => [
  ...(workflowId === undefined ? [] : [{ workspace: { scope: scopeOf({ workflowId }) } }]),
  ...(agentSessionId === undefined ? [] : [{ workspace: { scope: scopeOf({ agentSessionId }) } }]),
];

function ownVault({ vault }: Caller, wanted: string): void {
  if (wanted.toLowerCase() !== vault) throw new NotFoundError('Vault');
}
