import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { openSandbox, sandboxHosts, sandboxReleases } from '@millrace/contracts/runs/sandbox-hosts';
import { Broker } from '@millrace/messaging/broker/broker';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { withoutCause } from '@millrace/messaging/tracing/cause';
import { Database } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';
import { OpenWork } from '../../engine/reconcile/open-work.js';
import { SandboxHosts } from '../exec/sandbox-hosts.js';
import { endRestricted, endSessions } from './end-sessions.js';
import { SANDBOX_TIMES, type SandboxTimes } from './sandbox-times.js';

interface StartingSession {
  id: string;
  worker: string | null;
  hasTimedOut: boolean;
}

const INTERVAL_MS = 2_000;
/** A session that no worker opens within this time has failed. */
const START_TIMEOUT_MS = 60_000;
const OPEN_TIMEOUT_MS = 15_000;
const MAX_CONCURRENT_OPENINGS = 20;

/**
 * Opens sandboxes for starting sessions, and ends sessions without activity. All state is in the database, so another copy of
 * the service, or this one after a restart, continues the work. Two copies that do the same at once do no harm.
 */
@Injectable()
export class SessionReconciler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(SessionReconciler.name);
  private readonly loop = new IntervalLoop('Sandbox sweep', INTERVAL_MS, () => this.reconcile());
  private opening: Promise<void> | null = null;

  constructor(
    private readonly database: Database,
    private readonly broker: Broker,
    private readonly rpc: RpcClient,
    private readonly hosts: SandboxHosts,
    @Inject(SANDBOX_TIMES) private readonly times: SandboxTimes,
    private readonly work: OpenWork,
  ) {}

  onApplicationBootstrap(): void {
    this.broker.subscribe(sandboxHosts, (heartbeat) => {
      this.recordHeartbeat(heartbeat).catch((error: unknown) =>
        this.logger.warn({ message: 'Handling a sandbox heartbeat failed', worker: heartbeat.worker, error }),
      );
    });
    this.loop.start();
  }

  /** Opens starting sessions soon. */
  wake(): void {
    this.opening ??= withoutCause(() => this.openAll())
      .catch((error: unknown) =>
        this.logger.warn({ message: 'Opening sandboxes failed; retrying', error, retryInMs: INTERVAL_MS }),
      )
      .finally(() => (this.opening = null));
  }

  private async reconcile(): Promise<void> {
    if (!(await this.work.look()).sandboxes) return;
    this.wake();
    await this.endIdle();
    await this.endRestricted();
    await this.hosts.deleteExpired();
  }

  private async recordHeartbeat({ worker, slots, sessions, execs }: Payload<typeof sandboxHosts>): Promise<void> {
    const { client } = this.database;
    await this.hosts.recordHeartbeat(worker, slots);
    const execIds = execs.filter(isId);
    if (execIds.length > 0) {
      await client.$executeRaw`
        UPDATE runs.sandbox_session SET exec_seen_at = now(), last_active_at = now(),
          expires_at = least(ends_at, now() + ${this.times.idleMs}::bigint * interval '1 ms')
        WHERE exec_id = ANY(${execIds}::uuid[]) AND worker = ${worker}`;
    }
    const open = sessions.filter(isId);
    if (open.length === 0) return;
    const unwanted = await client.$queryRaw<{ id: string }[]>`
      SELECT h.id::text FROM unnest(${open}::uuid[]) AS h(id) LEFT JOIN runs.sandbox_session s ON s.id = h.id
      WHERE s.id IS NULL OR s.status NOT IN ('starting', 'running') OR s.worker IS DISTINCT FROM ${worker}`;
    if (unwanted.length > 0) this.broker.publish(sandboxReleases, { sessions: unwanted.map(({ id }) => id), worker });
  }

  private async openAll(): Promise<void> {
    const starting = await this.database.client.$queryRaw<StartingSession[]>`
      SELECT id::text, worker, started_at < now() - ${START_TIMEOUT_MS}::int * interval '1 ms' AS "hasTimedOut"
      FROM runs.sandbox_session WHERE status = 'starting' ORDER BY started_at LIMIT ${MAX_CONCURRENT_OPENINGS}`;
    await Promise.all(starting.map((session) => this.open(session)));
  }

  private async open({ id, worker: previousWorker, hasTimedOut }: StartingSession): Promise<void> {
    const triedWorkers: string[] = [];
    let problem: string | null = 'no worker that can run sandboxes is connected';
    let current = previousWorker;
    for (let worker = await this.hosts.chooseWorker(previousWorker); worker !== null;) {
      if (!(await this.assign(id, current, worker))) return;
      problem = await this.openOn(worker, id);
      if (problem === null) return;
      current = worker;
      triedWorkers.push(worker);
      worker = await this.hosts.chooseWorker(previousWorker, triedWorkers);
    }
    if (!hasTimedOut) return;
    await this.database.transaction((tx) =>
      endSessions(tx, [id], 'failed', `The sandbox could not be started: ${problem}`),
    );
  }

  /**
   * Assigns a starting session to a worker. This is written before the call, because a worker has to release a sandbox that
   * the database does not assign to it.
   * @returns false if the session no longer has its current worker: a command or another copy of the service has moved it
   */
  private async assign(id: string, current: string | null, worker: string): Promise<boolean> {
    const where = { id, status: 'starting', worker: current };
    const { count } = await this.database.client.sandboxSession.updateMany({ where, data: { worker } });
    return count > 0;
  }

  /** @returns the problem, or null */
  private async openOn(worker: string, session: string): Promise<string | null> {
    const { client } = this.database;
    try {
      const origin = { caller: null };
      const { opened } = await this.rpc.call(openSandbox, { session }, origin, {
        timeoutMs: OPEN_TIMEOUT_MS,
        instance: worker,
      });
      if (!opened) return 'all sandboxes of the workers are in use';
      await client.sandboxSession.updateMany({
        where: { id: session, status: 'starting', worker },
        data: { status: 'running' },
      });
      return null;
    } catch (error) {
      this.logger.warn({ message: 'Opening a sandbox failed', session, worker, error });
      return 'the worker could not open it';
    }
  }

  /** Each heartbeat with a running command extends the session, but not beyond its total time. */
  private async endIdle(): Promise<void> {
    const ended = await this.database.client.$queryRaw<{ id: string }[]>`
      UPDATE runs.sandbox_session SET status = 'stopped', exec_id = NULL,
        reason = CASE WHEN ends_at <= now() THEN 'The session reached its maximum time' ELSE 'There was no activity in the sandbox' END
      WHERE status IN ('starting', 'running') AND expires_at <= now() RETURNING id::text`;
    if (ended.length > 0) this.broker.publish(sandboxReleases, { sessions: ended.map(({ id }) => id) });
  }

  private async endRestricted(): Promise<void> {
    const sessions = await endRestricted(this.database);
    if (sessions.length > 0) this.broker.publish(sandboxReleases, { sessions });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    await this.opening;
  }
}
