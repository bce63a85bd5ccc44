import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { postgresOptions } from '@millrace/persistence/connections/postgres-options';
import { Database } from '@millrace/persistence/database';
import { ACQUIRE_TIMEOUT_MS, FairSemaphore } from '../concurrency/fair-semaphore.js';
import { DATASETS_ENV, type DatasetsEnv } from '../env.js';
import { explainQueryError } from './explain-query-error.js';
import type { LiveShape } from './live-shape.js';
import { beginSnapshot, openSnapshot } from './open-snapshot.js';
import { ReadSession } from './read-session.js';
import { ShapeCache } from './shape-cache.js';

/** Queries of one user that run at the same time. Further ones wait for one of them to end. */
const MAX_CONCURRENT_PER_USER = 4;
/** Share of the connections that is reserved for users who have no query running. */
const RESERVED_SHARE = 0.25;
/** How long a query waits for a table whose columns are being changed. */
const LOCK_TIMEOUT_MS = 5_000;
/** Idle connections stay open this long, because a new one costs more than most queries. */
const IDLE_TIMEOUT_MS = 300_000;
/** A query starts again if its table has changed just before it. */
const MAX_ATTEMPTS = 5;

/**
 * Reads from tables. Each shape is as of the snapshot, so it may be newer than the one passed to `LiveReader.read`. If a table
 * has changed, it runs again, so it has no effect that must not happen twice.
 */
export type ReadQuery<T> = (session: ReadSession, shapes: readonly LiveShape[]) => Promise<T>;

/**
 * Reads Live Tables on separate, read-only connections, so that other requests do not wait for expensive queries.
 * Postgres cancels queries that take too long. It plans each query for its actual values, because the rows that a pattern
 * or range selects depend on them. JIT is off: compiling a plan costs most queries more time than it saves.
 */
@Injectable()
export class LiveReader implements OnApplicationShutdown {
  private readonly pool: pg.Pool;
  private readonly semaphore: FairSemaphore;
  private readonly inUse = new Set<pg.PoolClient>();

  constructor(
    @Inject(DATASETS_ENV) private readonly env: DatasetsEnv,
    private readonly shapes: ShapeCache,
    database: Database,
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
      ...postgresOptions(database.server),
      application_name: 'millrace-queries',
      max: total,
      connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      keepAlive: true,
      options: settingsFor(env),
      pipeline: true,
    });
    // The pool replaces lost connections, and queries on them fail. Without listeners the process would crash.
    this.pool.on('error', () => undefined);
    this.pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /**
   * Runs the statements of one query in one snapshot. The caller's access to the tables has been checked
   * (`ShapeCache.findForRead`).
   * @throws NotFoundError if a table does not exist; ValidationError if the query is wrong or takes longer than
   *   QUERY_TIMEOUT; ApiError `rate_limited` if too many of the user's queries are running
   * @param timeoutMs shorter than QUERY_TIMEOUT, for work that may be abandoned
   */
  async read<T>(
    user: string,
    shapes: readonly LiveShape[],
    readQuery: ReadQuery<T>,
    timeoutMs = this.env.QUERY_TIMEOUT,
  ): Promise<T> {
    try {
      return await this.semaphore.run(user, () =>
        this.readWithRetries(shapes, readQuery, Math.min(timeoutMs, this.env.QUERY_TIMEOUT)),
      );
    } catch (error) {
      throw explainQueryError(error);
    }
  }

  /** Whether one more query could start now without making another wait. */
  get hasFreePermit(): boolean {
    return this.semaphore.hasFreePermit;
  }

  private async readWithRetries<T>(
    initialShapes: readonly LiveShape[],
    readQuery: ReadQuery<T>,
    timeoutMs: number,
  ): Promise<T> {
    let shapes = initialShapes;
    for (let attempt = 1; ; attempt++) {
      const read = attempt === 1 ? readEarly : readInSnapshot;
      const result = await this.tryRead(timeoutMs, (client, session) => read(client, session, shapes, readQuery));
      if (result) return result.value;
      if (attempt === MAX_ATTEMPTS)
        throw new Error(`A Live Table was replaced ${MAX_ATTEMPTS - 1} times during one query`);
      shapes = await Promise.all(shapes.map(({ id }) => this.shapes.load(id)));
    }
  }

  /** @param read returns null if it has to start again on another connection */
  private async tryRead<T>(
    timeoutMs: number,
    read: (client: pg.PoolClient, session: ReadSession) => Promise<Read<T> | null>,
  ): Promise<Read<T> | null> {
    const client = await this.pool.connect();
    this.inUse.add(client);
    const session = new ReadSession(client, timeoutMs, this.env.QUERY_TIMEOUT);
    try {
      const result = await read(client, session);
      for (const shape of result?.shapes ?? []) this.shapes.store(shape);
      return result;
    } finally {
      this.inUse.delete(client);
      // The result does not wait for the release.
      void releaseClient(client, session.isBroken);
    }
  }

  /** Shutdown has already waited for responses; waiting for the remaining queries would delay it by seconds. */
  async onApplicationShutdown(): Promise<void> {
    for (const client of this.inUse) client.connection.stream.destroy();
    await this.pool.end();
  }
}

/** What a query has read, and the shapes of its tables. */
interface Read<T> {
  value: T;
  shapes: readonly LiveShape[];
}

/**
 * Lets the first statement of a query travel with those that open its snapshot, because tables rarely change between two
 * queries.
 * @returns null if a table has changed since
 */
async function readEarly<T>(
  client: pg.PoolClient,
  session: ReadSession,
  shapes: readonly LiveShape[],
  readQuery: ReadQuery<T>,
): Promise<Read<T> | null> {
  const opening = beginSnapshot(client, shapes);
  const reading = (async () => readQuery(session, shapes))();
  const settled = reading.catch(() => undefined);
  try {
    return (await opening).every(({ isCurrent }) => isCurrent) ? { value: await reading, shapes } : null;
  } finally {
    // The next query on the connection must not get statements of this one.
    session.close();
    await settled;
  }
}

/** @returns null if a physical table was replaced by another one */
async function readInSnapshot<T>(
  client: pg.PoolClient,
  session: ReadSession,
  expected: readonly LiveShape[],
  readQuery: ReadQuery<T>,
): Promise<Read<T> | null> {
  const shapes = await openSnapshot(client, expected);
  return shapes && { value: await readQuery(session, shapes), shapes };
}

/** Never rejects. */
async function releaseClient(client: pg.PoolClient, isBroken: boolean): Promise<void> {
  // On a pipelined connection, `release` alone would read all rows first.
  if (isBroken) client.connection.stream.destroy();
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
