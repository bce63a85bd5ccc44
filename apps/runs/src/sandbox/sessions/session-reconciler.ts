import { randomUUID } from 'node:crypto';
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
import { Database } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { IntervalLoop } from '@millrace/service/interval-loop';
import { SandboxHosts } from '../exec/sandbox-hosts.js';
import { endRestricted } from './end-restricted.js';
import { endSessions } from './end-sessions.js';
import { SANDBOX_TIMES, type SandboxTimes } from './sandbox-times.js';

interface Waiting {
  id: string;
  worker: string | null;
  isOld: boolean;
}

const EVERY_MS = 2_000;
/** A session that no worker takes for so long has failed. */
const TIMEOUT_MS = 60_000;
const OPENING = { timeoutMs: 15_000 };
const AT_ONCE = 20;

/**
 * Has sandboxes made for sessions that start, and ends those in which nothing happens. All of it is in the database, so
 * another copy, or this one after a restart, goes on where it was; two that do the same at once do no harm.
 */
@Injectable()
export class SessionReconciler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(SessionReconciler.name);
  private readonly repeater = new IntervalLoop('Sandbox sweep', EVERY_MS, () => this.tend());
  private opening: Promise<void> | null = null;

  constructor(
    private readonly database: Database,
    private readonly broker: Broker,
    private readonly rpc: RpcClient,
    private readonly hosts: SandboxHosts,
    @Inject(SANDBOX_TIMES) private readonly times: SandboxTimes,
  ) {}

  onApplicationBootstrap(): void {
    this.broker.subscribe(sandboxHosts, (beat) => {
      this.note(beat).catch((error: unknown) => this.logger.warn({ message: 'A sign of life was not noted', error }));
    });
    this.repeater.start();
  }

  /** Some session may wait to be opened. */
  wake(): void {
    this.opening ??= this.openAll()
      .catch((error: unknown) => this.logger.warn({ message: 'Opening sandboxes waits', error }))
      .finally(() => (this.opening = null));
  }

  private async tend(): Promise<void> {
    this.wake();
    await this.endIdle();
    await this.endRestricted();
    await this.hosts.deleteExpired();
  }

  private async note({ worker, slots, sessions, execs }: Payload<typeof sandboxHosts>): Promise<void> {
    const { client } = this.database;
    await this.hosts.recordHeartbeat(worker, slots);
    const execIds = execs.filter(isId);
    if (execIds.length > 0) {
      await client.$executeRaw`
        UPDATE runs.sandbox_session SET exec_seen_at = now(), last_active_at = now(),
          expires_at = least(ends_at, now() + ${this.times.idleMs}::bigint * interval '1 ms')
        WHERE exec_id = ANY(${execIds}::uuid[]) AND worker = ${worker}`;
    }
    const held = sessions.filter(isId);
    if (held.length === 0) return;
    const unwanted = await client.$queryRaw<{ id: string }[]>`
      SELECT h.id::text FROM unnest(${held}::uuid[]) AS h(id) LEFT JOIN runs.sandbox_session s ON s.id = h.id
      WHERE s.id IS NULL OR s.status NOT IN ('starting', 'running') OR s.worker IS DISTINCT FROM ${worker}`;
    if (unwanted.length > 0) this.broker.publish(sandboxReleases, { sessions: unwanted.map(({ id }) => id), worker });
  }

  private async openAll(): Promise<void> {
    const waiting = await this.database.client.$queryRaw<Waiting[]>`
      SELECT id::text, worker, started_at < now() - ${TIMEOUT_MS}::int * interval '1 ms' AS "isOld"
      FROM runs.sandbox_session WHERE status = 'starting' ORDER BY started_at LIMIT ${AT_ONCE}`;
    await Promise.all(waiting.map((session) => this.open(session)));
  }

  private async open({ id, worker: former, isOld }: Waiting): Promise<void> {
    const tried: string[] = [];
    let problem: string | null = 'no worker is there that takes sandboxes';
    for (let worker = await this.hosts.chooseWorker(former); worker !== null;) {
      problem = await this.openAt(worker, id);
      if (problem === null) return;
      tried.push(worker);
      worker = await this.hosts.chooseWorker(former, tried);
    }
    if (!isOld) return;
    await this.database.transaction((tx) => endSessions(tx, [id], 'failed', `It could not be started: ${problem}`));
  }

  /** @returns what went wrong, or null */
  private async openAt(worker: string, session: string): Promise<string | null> {
    const { client } = this.database;
    const isStarting = { id: session, status: 'starting' };
    // Before it is asked: what a worker has and the database does not know of is taken from it.
    await client.sandboxSession.updateMany({ where: isStarting, data: { worker } });
    try {
      const from = { caller: null, requestId: randomUUID() };
      const { opened } = await this.rpc.call(openSandbox, { session }, from, { ...OPENING, instance: worker });
      if (!opened) return 'all sandboxes of the workers are in use';
      await client.sandboxSession.updateMany({ where: { ...isStarting, worker }, data: { status: 'running' } });
      return null;
    } catch (error) {
      this.logger.warn({ message: 'A sandbox could not be opened', session, worker, error });
      return 'the worker could not make it';
    }
  }

  /** A command that runs puts this off with each sign of life, but not beyond the end of its session. */
  private async endIdle(): Promise<void> {
    const ended = await this.database.client.$queryRaw<{ id: string }[]>`
      UPDATE runs.sandbox_session SET status = 'stopped', exec_id = NULL,
        reason = CASE WHEN ends_at <= now() THEN 'Its time was up' ELSE 'Nothing happened in it' END
      WHERE status IN ('starting', 'running') AND expires_at <= now() RETURNING id::text`;
    if (ended.length > 0) this.broker.publish(sandboxReleases, { sessions: ended.map(({ id }) => id) });
  }

  private async endRestricted(): Promise<void> {
    const sessions = await endRestricted(this.database);
    if (sessions.length > 0) this.broker.publish(sandboxReleases, { sessions });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.repeater.stop();
    await this.opening;
  }
}
