import { Controller, Inject } from '@nestjs/common';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { execInSandbox } from '@millrace/contracts/runs/sandbox';
import {
  admitSandbox,
  assignExec,
  SANDBOX_LEASE_MS,
  sandboxReleases,
  abandonExec,
} from '@millrace/contracts/runs/sandbox-hosts';
import { Broker } from '@millrace/messaging/broker/broker';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { requireUnrestricted } from '../../restrictions/require-unrestricted.js';
import { lockUser } from '../sessions/lock-user.js';
import { SANDBOX_TIMES, type SandboxTimes } from '../sessions/sandbox-times.js';
import { SessionAccess } from '../sessions/session-access.js';
import { remainingStorage } from '../workspace/storage-quota.js';
import { SandboxHosts } from './sandbox-hosts.js';

/**
 * Commands as the gateway asks for them. A session lends itself to one command at a time, for as long as its worker says that
 * it runs; who was given it last is the only one whose changes are kept.
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
      await this.keepHalf(tx, context.caller, session);
      const lent = await tx.$queryRaw<unknown[]>`
        UPDATE runs.sandbox_session SET exec_id = ${exec}::uuid, exec_seen_at = now(), exec_taken = false,
          last_active_at = now(), expires_at = least(ends_at, now() + ${this.times.idleMs}::bigint * interval '1 ms')
        WHERE id = ${session}::uuid AND status IN ('starting', 'running') AND (exec_id IS NULL
          OR exec_seen_at < now() - ${SANDBOX_LEASE_MS}::int * interval '1 ms')
        RETURNING 1`;
      if (lent.length > 0) return { session, exec };
      throw new ApiError('rate_limited', 'Another command runs in this sandbox', { retry_after: 1 });
    });
  }

  /** So that one user's commands, which may take an hour each, do not shut out all others. */
  private async keepHalf(tx: Transaction, { user }: Caller, session: string): Promise<void> {
    const [count] = await tx.$queryRaw<{ slots: number; underWay: number }[]>`
      SELECT (SELECT coalesce(sum(slots), 0)::int FROM runs.sandbox_host
          WHERE seen_at > now() - ${SANDBOX_LEASE_MS}::int * interval '1 ms') AS slots,
        (SELECT count(*)::int FROM runs.sandbox_session WHERE user_id = ${user}::uuid AND id <> ${session}::uuid AND exec_id IS NOT NULL
          AND exec_seen_at >= now() - ${SANDBOX_LEASE_MS}::int * interval '1 ms') AS "underWay"`;
    const { slots = 0, underWay = 0 } = count ?? {};
    if (underWay < Math.max(1, Math.floor(slots / 2))) return;
    throw new ApiError('rate_limited', 'Your commands take as many sandboxes as they may; wait for one to end', {
      retry_after: 5,
    });
  }

  @OperationHandler(admitSandbox)
  async admit({ body }: Input<typeof admitSandbox>, context: Context): Promise<null> {
    const session = await this.sessions.requireSession(context, body.session);
    if (body.storing && (await remainingStorage(this.database.client, session)) === 0) {
      throw new ApiError('rate_limited', 'No more than 20 GiB are stored into sandboxes in a day', {
        retry_after: 60 * 60,
      });
    }
    return null;
  }

  /** Where somebody has begun with it, there it stays, and there it can be asked for when it has ended. */
  @OperationHandler(assignExec)
  async place({ body: { session: id, exec, unlike } }: Input<typeof assignExec>): Promise<Result<typeof assignExec>> {
    const { client } = this.database;
    const where = { id, OR: [{ execId: exec }, { settledExec: exec }] };
    const session = await client.sandboxSession.findFirst({ where });
    if (session?.execId !== exec || session.execTaken) return { worker: session?.worker ?? null };
    const former = session.worker;
    const worker = await this.hosts.chooseWorker(former, unlike);
    if (worker === null || worker === former) return { worker };
    const moved = await client.sandboxSession.updateMany({
      where: { id, execId: exec, execTaken: false },
      data: { worker },
    });
    if (moved.count === 0) return { worker: null };
    if (former !== null) this.broker.publish(sandboxReleases, { sessions: [id], worker: former });
    return { worker };
  }

  @OperationHandler(abandonExec)
  async yield({ body: { session: id, exec } }: Input<typeof abandonExec>): Promise<null> {
    await this.database.client.sandboxSession.updateMany({
      where: { id, execId: exec, execTaken: false },
      data: { execId: null },
    });
    return null;
  }
}
