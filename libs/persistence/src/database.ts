import { setTimeout as sleep } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import { addMetricSource, createGauge, type Sample } from '@millrace/telemetry/metrics/registry';
import { withInnerSpan } from '@millrace/telemetry/tracing/spans';
import { combineStatements } from './combine-statements.js';
import { postgresOptions, type PostgresServer } from './connections/postgres-options.js';
import { retryTimeouts } from './connections/retry-timeouts.js';
import { findUntrustedServer } from './connections/untrusted-server-error.js';
import { ContentsGoneError, findGoneContents } from './contents-gone-error.js';
import { Prisma, PrismaClient } from './generated/client.js';
import { OutboxDraft, type Cause, type OutboxEntry } from './outbox.js';
import { PgListener, type PgListenerCallbacks } from './pg-listener.js';
import {
  rawCalls,
  type RunStatement,
  TRANSACTION_ENDED_MESSAGE,
  TransactionPool,
  type TransactionSettings,
} from './transaction-pool.js';
import { TransactionTimeoutError } from './transaction-timeout-error.js';

/** Statements that a transaction executes at its end, in one round trip with its outbox. */
interface DeferredStatements {
  /**
   * Defers a statement to the end of the transaction. Deferred statements must change different rows, and nothing
   * before the end sees their effect.
   */
  defer(statement: Prisma.Sql): void;
  /** Runs the deferred statements now, because a later statement reads their effect. */
  flush(): Promise<void>;
}

/** The queries of one transaction, with `emit` and `enqueue`, which take effect if and only if it commits. */
export type Transaction = Prisma.TransactionClient & Pick<OutboxDraft, 'emit' | 'enqueue'> & DeferredStatements;

export interface DatabaseOptions extends PostgresServer {
  service: ServiceName;
  /** Maximum number of connections; further transactions wait. */
  connections: number;
  /** The cause of the current work, which travels with the events and jobs of its transactions. */
  currentCause?: () => Cause;
}

/**
 * Serialization failure, deadlock, or two changes of the catalog row of one object (which has no SQLSTATE of its own):
 * the transaction had no effect and may be retried (Postgres docs, appendix A).
 */
const RETRYABLE_ERRORS = ['40001', '40P01', 'P2034', 'tuple concurrently updated'];

/** Each attempt fails at the first statement that refers to an object that was deleted. */
const MAX_RESTORE_ATTEMPTS = 10;

/** A new connection takes Postgres 50 ms of processor time, so it stays for requests that come once in a while. */
const IDLE_TIMEOUT_MS = 60_000;

const TRANSACTION_ATTRIBUTES = { 'db.system.name': 'postgresql' };

const connections = createGauge('millrace_database_connections', 'Connections of the pool by state', [
  'service',
  'state',
]);

/** The access of one service to Postgres. Use `client` for reads and `transaction` for writes. */
export class Database {
  readonly client: PrismaClient;
  private readonly pool: TransactionPool;
  private readonly commitListeners: ((entries: OutboxEntry[]) => void)[] = [];
  private readonly beforeCommitListeners: ((tx: Transaction, value: unknown) => void)[] = [];
  private readonly stopMeasuring: () => void;
  private restoreContents: ((hashes: string[]) => Promise<readonly string[]>) | null = null;

  constructor(private readonly options: DatabaseOptions) {
    this.pool = new TransactionPool({
      ...postgresOptions(options),
      max: options.connections,
      connectionTimeoutMillis: 5_000,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      application_name: `millrace-${options.service}`,
    });
    // The pool replaces lost connections. Without a listener, their errors would end the process while Prisma is not
    // connected.
    this.pool.on('error', () => undefined);
    const adapter = new PrismaPg(this.pool, { statementNameGenerator: this.pool.nameStatement });
    this.client = Object.assign(
      new PrismaClient({ adapter }),
      rawCalls((statement) => this.pool.send(statement)),
    );
    this.stopMeasuring = addMetricSource({ name: `${options.service} database`, read: () => this.readConnections() });
  }

  private readConnections(): Sample[] {
    const { totalCount, idleCount, waitingCount } = this.pool;
    const values = { active: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
    const { service } = this;
    return Object.entries(values).map(([state, value]) => ({ gauge: connections, labels: { service, state }, value }));
  }

  get service(): ServiceName {
    return this.options.service;
  }

  /** Where the database is, for connections of its own that a caller opens with `postgresOptions`. */
  get server(): PostgresServer {
    const { url, tls } = this.options;
    return { url, ...(tls && { tls }) };
  }

  /**
   * Opens a first connection, so that a start does not fail because connecting takes seconds on a busy machine. If the
   * server cannot be reached, the first query fails with the reason.
   * @throws UntrustedServerError if the server and this client do not agree on TLS
   */
  async connect(): Promise<void> {
    try {
      await retryTimeouts(() => this.client.$queryRaw`SELECT 1`);
    } catch (error) {
      const untrusted = findUntrustedServer(error, 'DATABASE_URL', this.options.url);
      if (untrusted) throw untrusted;
    }
  }

  /** Creates a listener for `pg_notify` notifications on a channel. The caller opens and closes it. */
  createListener(channel: string, callbacks: PgListenerCallbacks): PgListener {
    return new PgListener(this.server, channel, callbacks);
  }

  /**
   * Calls the listener with the outbox entries of each transaction, right after its commit; the fast path of the relay.
   */
  onCommit(listener: (entries: OutboxEntry[]) => void): void {
    this.commitListeners.push(listener);
  }

  /**
   * Calls the listener inside each transaction after its `execute` has finished, with the result; it may `defer`
   * statements.
   */
  beforeCommit(listener: (tx: Transaction, value: unknown) => void): void {
    this.beforeCommitListeners.push(listener);
  }

  /**
   * Calls `restore` with the stored objects that a transaction refers to although they were deleted as unused. It returns
   * those whose bytes are not stored again. If there are none, the transaction is repeated.
   */
  onGoneContents(restore: (hashes: string[]) => Promise<readonly string[]>): void {
    this.restoreContents = restore;
  }

  /**
   * Runs `execute` in a transaction, which also writes its outbox entries. Deadlocks and serialization failures are
   * retried, so `execute` must have no effect outside of the database.
   * @param settings `timeoutMs`: 15 s by default
   * @throws TransactionTimeoutError if it takes longer; it has no effect then
   * @throws ContentsGoneError if it refers to stored objects that were deleted
   */
  async transaction<T>(
    execute: (tx: Transaction) => Promise<T>,
    settings: Partial<TransactionSettings> = {},
  ): Promise<T> {
    for (let attempt = 1, restored = 0; ;) {
      try {
        return await withInnerSpan('transaction', TRANSACTION_ATTRIBUTES, () =>
          this.runTransaction(execute, { timeoutMs: 15_000, ...settings }),
        );
      } catch (error) {
        const gone = findGoneContents(error);
        if (gone) {
          const missing = restored++ < MAX_RESTORE_ATTEMPTS ? await this.restoreContents?.(gone) : gone;
          if (!missing || missing.length > 0) throw new ContentsGoneError(missing ?? gone);
          continue;
        }
        if (attempt === 5 || !isRetryable(error)) throw error;
        await sleep(10 * 2 ** attempt++ * Math.random());
      }
    }
  }

  private async runTransaction<T>(execute: (tx: Transaction) => Promise<T>, settings: TransactionSettings): Promise<T> {
    const timeout = settings.timeoutMs;
    let startedAt = Infinity;
    const draft = new OutboxDraft(this.service, this.options.currentCause?.());
    const commit = this.pool.withTransaction(settings, ({ run, sendCommitBehind }) =>
      this.client.$transaction(
        async (client) => {
          startedAt = performance.now();
          const deferred: Prisma.Sql[] = [];
          const tx = createTransaction(client, draft, deferred, run);
          const value = await execute(tx);
          for (const listener of this.beforeCommitListeners) listener(tx, value);
          if (draft.entries.length > 0) deferred.push(this.insertStatement(draft.entries));
          await sendCommitBehind(tx.flush());
          return value;
        },
        { timeout, maxWait: 10_000 },
      ),
    );
    const result = await commit.catch((error: unknown) => {
      // Prisma's timer starts a little earlier.
      const isExpired =
        performance.now() - startedAt >= 0.9 * timeout && (isTransactionEnded(error) || isCancelled(error));
      throw isExpired ? new TransactionTimeoutError(timeout, error) : error;
    });
    if (draft.entries.length > 0) for (const listener of this.commitListeners) listener(draft.entries);
    return result;
  }

  private insertStatement(entries: OutboxEntry[]): Prisma.Sql {
    return Prisma.sql`
      INSERT INTO messaging.outbox (id, service, kind, name, payload, options)
      SELECT id, ${this.service}, kind, name, payload, options
      FROM jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) AS e(id uuid, kind text, name text, payload jsonb, options jsonb)`;
  }

  async close(): Promise<void> {
    this.stopMeasuring();
    await this.client.$disconnect();
    await this.pool.end();
  }
}

/**
 * Extends the transaction client of Prisma, which is itself a proxy, by our methods. Our proxy has its own target: with
 * that of Prisma, every access would also request a property descriptor from it, a seventh of the cost of a statement.
 */
function createTransaction(
  tx: Prisma.TransactionClient,
  draft: OutboxDraft,
  deferred: Prisma.Sql[],
  run: RunStatement,
): Transaction {
  const extension = {
    ...rawCalls(run),
    emit: draft.emit.bind(draft),
    enqueue: draft.enqueue.bind(draft),
    defer: (statement: Prisma.Sql) => void deferred.push(statement),
    flush: async () => void (await combineStatements(extension, deferred.splice(0))),
  } as Partial<Transaction> & Pick<Transaction, '$queryRaw' | '$executeRaw'>;
  return new Proxy(extension, {
    get: (target, key: keyof Transaction) => target[key] ?? tx[key as keyof Prisma.TransactionClient],
  }) as Transaction;
}

/** Errors of Prisma, and of `TransactionPool`, for a statement after the end of its transaction. */
const isTransactionEnded = (error: unknown): boolean =>
  error instanceof Error &&
  ((error as { code?: unknown }).code === 'P2028' || error.message === TRANSACTION_ENDED_MESSAGE);

/** Postgres has ended a statement by `statement_timeout` (query_canceled). */
const isCancelled = (error: unknown): boolean => hasCode(error, ['57014']);

const isRetryable = (error: unknown): boolean => hasCode(error, RETRYABLE_ERRORS);

/** Prisma has the code of Postgres somewhere in its own error. */
function hasCode(error: unknown, codes: readonly string[]): boolean {
  const text = error instanceof Error ? `${error.message} ${JSON.stringify({ ...error })}` : '';
  return codes.some((code) => text.includes(code));
}
