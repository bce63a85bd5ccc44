import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { ACQUIRE_TIMEOUT_MS, FairSemaphore } from '../concurrency/fair-semaphore.js';
import { DATASETS_ENV, type DatasetsEnv } from '../env.js';
import { explainQueryError } from './explain-query-error.js';
import type { LiveShape } from './live-shape.js';
import { openSnapshot } from './open-snapshot.js';
import { ReadSession } from './read-session.js';
import { ShapeCache } from './shape-cache.js';

/** Queries of one user that run at once; further ones of the same user wait so long for one to end. */
const MAX_CONCURRENT_PER_USER = 4;
/** Of all connections, those kept for users who have no query running: a quarter. */
const RESERVED_SHARE = 0.25;
/** How long a table is waited for whose columns are being changed. */
const LOCK_TIMEOUT_MS = 5_000;
/** A new connection costs more than most queries. */
const IDLE_TIMEOUT_MS = 300_000;
/** How often a query begins anew because its table was cleared just then. */
const MAX_ATTEMPTS = 5;

/** What is read of tables, each in its shape as of the snapshot, which may be newer than the one that was given. */
export type ReadQuery<T> = (session: ReadSession, shapes: readonly LiveShape[]) => Promise<T>;

/**
 * Reads Live Tables on connections of their own, so that no other request waits for what a query costs there. They are
 * read-only, and Postgres ends what takes too long. Plans are made for the values at hand, since what a pattern or a range
 * selects depends on them; compiling plans (JIT) costs most queries more than it gives.
 */
@Injectable()
export class LiveReader implements OnApplicationShutdown {
  private readonly pool: pg.Pool;
  private readonly semaphore: FairSemaphore;
  private readonly inUse = new Set<pg.PoolClient>();

  constructor(
    @Inject(DATASETS_ENV) private readonly env: DatasetsEnv,
    private readonly shapes: ShapeCache,
  ) {
    const total = env.QUERY_CONNECTIONS;
    const reserved = Math.floor(total * RESERVED_SHARE);
    this.semaphore = new FairSemaphore({
      permits: total,
      permitsPerUser: MAX_CONCURRENT_PER_USER,
      reservedPermits: reserved,
      acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
    });
    this.pool = new pg.Pool({
      connectionString: env.DATABASE_URL,
      application_name: 'millrace-queries',
      max: total,
      connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      keepAlive: true,
      options: settingsFor(env),
    });
    // Lost connections are replaced, and fail what runs on them; without listeners they would end the process.
    this.pool.on('error', () => undefined);
    this.pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /**
   * Runs the statements of one query on tables that the caller was let into (`Shapes.findToRead`), all in one snapshot.
   * @throws NotFoundError where a table is gone; ValidationError where the query is at fault, or takes longer than
   *   QUERY_TIMEOUT; ApiError `rate_limited` where too many of the user's are running
   * @param mostMs less than QUERY_TIMEOUT, for what may be left undone
   */
  async read<T>(
    user: string,
    shapes: readonly LiveShape[],
    reading: ReadQuery<T>,
    mostMs = this.env.QUERY_TIMEOUT,
  ): Promise<T> {
    try {
      return await this.semaphore.run(user, () =>
        this.readWithRetries(shapes, reading, Math.min(mostMs, this.env.QUERY_TIMEOUT)),
      );
    } catch (error) {
      throw explainQueryError(error);
    }
  }

  /** Whether one more could be read now without anybody waiting for it. */
  get hasFreePermit(): boolean {
    return this.semaphore.hasFreePermit;
  }

  private async readWithRetries<T>(given: readonly LiveShape[], reading: ReadQuery<T>, timeoutMs: number): Promise<T> {
    let shapes = given;
    for (let tries = 1; ; tries++) {
      const answer = await this.attempt(shapes, reading, timeoutMs);
      if (answer) return answer.value;
      if (tries === MAX_ATTEMPTS) throw new Error('A Live Table changes its physical table all the time');
      shapes = await Promise.all(shapes.map(({ id }) => this.shapes.load(id)));
    }
  }

  /** @returns null where a table has become another one */
  private async attempt<T>(
    shapes: readonly LiveShape[],
    reading: ReadQuery<T>,
    timeoutMs: number,
  ): Promise<{ value: T } | null> {
    const client = await this.pool.connect();
    this.inUse.add(client);
    let session: ReadSession | null = null;
    try {
      const current = await openSnapshot(client, shapes);
      if (!current) return null;
      for (const shape of current) this.shapes.store(shape);
      session = new ReadSession(client, timeoutMs, this.env.QUERY_TIMEOUT);
      return { value: await reading(session, current) };
    } finally {
      this.inUse.delete(client);
      // The answer does not wait for it.
      void releaseClient(client, session?.isBroken ?? false);
    }
  }

  /** Queries under way have had the time that answers have to leave; the rest would hold up the end for seconds. */
  async onApplicationShutdown(): Promise<void> {
    for (const client of this.inUse) void client.end();
    await this.pool.end();
  }
}

/** Never rejects. */
async function releaseClient(client: pg.PoolClient, isBroken: boolean): Promise<void> {
  const isUsable =
    !isBroken &&
    (await client.query('ROLLBACK').then(
      () => true,
      () => false,
    ));
  client.release(!isUsable);
}

function settingsFor(env: DatasetsEnv): string {
  const settings = {
    default_transaction_read_only: 'on',
    statement_timeout: env.QUERY_TIMEOUT,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: env.QUERY_TIMEOUT + LOCK_TIMEOUT_MS,
    plan_cache_mode: 'force_custom_plan',
    jit: 'off',
  };
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}
