import { Controller, Inject } from '@nestjs/common';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { execInSandbox } from '@millrace/contracts/runs/sandbox';
import {
  abandonExec,
  admitSandbox,
  assignExec,
  SANDBOX_LEASE_MS,
  sandboxReleases,
} from '@millrace/contracts/runs/sandbox-hosts';
import { Broker } from '@millrace/messaging/broker/broker';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { requireUnrestricted } from '../../restrictions/require-unrestricted.js';
import { SANDBOX_TIMES, type SandboxTimes } from '../sessions/sandbox-times.js';
import { lockUser, SessionAccess } from '../sessions/session-access.js';
import { remainingStorage } from '../workspace/storage-quota.js';
import { SandboxHosts } from './sandbox-hosts.js';

/**
 * Starts commands for the gateway. A session is leased to one command at a time, for as long as its worker reports that the
 * command runs. Only the changes of the command that has the latest lease are stored.
 */
@Controller()
export class SandboxExecController {
  constructor(
    private readonly database: Database,
    private readonly broker: Broker,
    private readonly hosts: SandboxHosts,
    private readonly sessions: SessionAccess,
    @Inject(SANDBOX_TIMES) private readonly times: SandboxTimes,
  ) {}

  @OperationHandler(execInSandbox)
  async exec({ body }: Input<typeof execInSandbox>, context: Context): Promise<Result<typeof execInSandbox>> {
    const { id: session } = await this.sessions.requireOpenSession(context, body.sessionId);
    await this.hosts.requireSandboxWorker();
    const exec = newId();
    return this.database.transaction(async (tx) => {
      await requireUnrestricted(tx, context.caller.vault);
      await lockUser(tx, context.caller);
      await this.requireFairShare(tx, context.caller, session);
      const leased = await tx.$queryRaw<unknown[]>`
        UPDATE runs.sandbox_session SET exec_id = ${exec}::uuid, exec_seen_at = now(), exec_taken = false,
          last_active_at = now(), expires_at = least(ends_at, now() + ${this.times.idleMs}::bigint * interval '1 ms')
        WHERE id = ${session}::uuid AND status IN ('starting', 'running') AND (exec_id IS NULL
          OR exec_seen_at < now() - ${SANDBOX_LEASE_MS}::int * interval '1 ms')
        RETURNING 1`;
      if (leased.length > 0) return { session, exec };
      throw new ApiError('rate_limited', 'Another command is running in this sandbox. Try again when it has ended.', {
        retry_after: 1,
      });
    });
  }

  /** One user may use half of the slots: a command may take an hour, and other users need slots too. */
  private async requireFairShare(tx: Transaction, { user }: Caller, session: string): Promise<void> {
    const [count] = await tx.$queryRaw<{ slots: number; running: number }[]>`
      SELECT (SELECT coalesce(sum(slots), 0)::int FROM runs.sandbox_host
          WHERE seen_at > now() - ${SANDBOX_LEASE_MS}::int * interval '1 ms') AS slots,
        (SELECT count(*)::int FROM runs.sandbox_session WHERE user_id = ${user}::uuid AND id <> ${session}::uuid AND exec_id IS NOT NULL
          AND exec_seen_at >= now() - ${SANDBOX_LEASE_MS}::int * interval '1 ms') AS "running"`;
    const { slots = 0, running = 0 } = count ?? {};
    const limit = Math.max(1, Math.floor(slots / 2));
    if (running < limit) return;
    throw new ApiError('rate_limited', `You may run at most ${limit} commands at once. Wait until one of them ends.`, {
      retry_after: 5,
    });
  }

  @OperationHandler(admitSandbox)
  async admit({ body }: Input<typeof admitSandbox>, context: Context): Promise<null> {
    const session = await this.sessions.requireSession(context, body.session);
    if (body.storing && (await remainingStorage(this.database.client, session)) === 0) {
      throw new ApiError(
        'rate_limited',
        'You have stored 20 GiB in sandboxes today, the most that is allowed per day (UTC). Try again tomorrow.',
        {
          retry_after: 60 * 60,
        },
      );
    }
    return null;
  }

  /** A command stays at the worker that started it. That worker also has its result when it has ended. */
  @OperationHandler(assignExec)
  async assign({
    body: { session: id, exec, unlike: excluded },
  }: Input<typeof assignExec>): Promise<Result<typeof assignExec>> {
    const { client } = this.database;
    const where = { id, OR: [{ execId: exec }, { settledExec: exec }] };
    const session = await client.sandboxSession.findFirst({ where });
    if (session?.execId !== exec || session.execTaken) return { worker: session?.worker ?? null };
    const current = session.worker;
    const worker = await this.hosts.chooseWorker(current, excluded);
    if (worker === null || worker === current) return { worker };
    const moved = await client.sandboxSession.updateMany({
      where: { id, execId: exec, execTaken: false },
      data: { worker },
    });
    if (moved.count === 0) return { worker: null };
    if (current !== null) this.broker.publish(sandboxReleases, { sessions: [id], worker: current });
    return { worker };
  }

  @OperationHandler(abandonExec)
  async abandon({ body: { session: id, exec } }: Input<typeof abandonExec>): Promise<null> {
    await this.database.client.sandboxSession.updateMany({
      where: { id, execId: exec, execTaken: false },
      data: { execId: null },
    });
    return null;
  }
}
