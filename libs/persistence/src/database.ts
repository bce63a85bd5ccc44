import { setTimeout as sleep } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import { combineStatements } from './combine-statements.js';
import { Prisma, PrismaClient } from './generated/client.js';
import { OutboxDraft, type OutboxEntry } from './outbox.js';
import { PgListener, type PgListenerCallbacks } from './pg-listener.js';
import { rawCalls, type RunStatement } from './raw-calls.js';
import { TransactionPool } from './transaction-pool.js';

/** What a transaction writes at its end, in one round trip with its outbox. */
interface Deferring {
  /** Leaves a statement to the end. Those deferred change different rows, and nothing before the end sees what they do. */
  defer(statement: Prisma.Sql): void;
  /** Runs what was deferred at once, for what follows reads it. */
  flush(): Promise<void>;
}

/** Queries of one transaction, with `emit` and `enqueue` that take effect when, and only when, it commits. */
export type Transaction = Prisma.TransactionClient & Pick<OutboxDraft, 'emit' | 'enqueue'> & Deferring;

export interface DatabaseOptions {
  url: string;
  service: ServiceName;
  /** Most connections held; a service's transactions beyond that wait. */
  connections: number;
}

/**
 * Serialization failure, deadlock, two who change the same object's catalog row (which has no SQLSTATE of its own): the
 * transaction did nothing and may be tried again (Postgres, appendix A).
 */
const RETRIABLE = ['40001', '40P01', 'P2034', 'tuple concurrently updated'];

const CONNECT_TRIES = 6;

/** One service's way to Postgres. Reads may go through `client`; writes belong in a `transaction`. */
export class Database {
  readonly client: PrismaClient;
  private readonly pool: TransactionPool;
  private readonly committed: ((entries: OutboxEntry[]) => void)[] = [];
  private readonly committing: ((tx: Transaction, value: unknown) => void)[] = [];

  constructor(private readonly options: DatabaseOptions) {
    this.pool = new TransactionPool({
      connectionString: options.url,
      max: options.connections,
      connectionTimeoutMillis: 5_000,
      application_name: `millrace-${options.service}`,
    });
    // Lost connections are replaced. Prisma listens only while it is connected, and without a listener they end the process.
    this.pool.on('error', () => undefined);
    const adapter = new PrismaPg(this.pool, { statementNameGenerator: this.pool.nameStatement });
    this.client = Object.assign(
      new PrismaClient({ adapter }),
      rawCalls((statement) => this.pool.send(statement)),
    );
  }

  get service(): ServiceName {
    return this.options.service;
  }

  /**
   * Opens a first connection, so that a start does not fail because opening one takes some seconds on a busy machine. If the
   * server cannot be reached, the first query fails with the reason.
   */
  async connect(): Promise<void> {
    for (let left = CONNECT_TRIES; left > 0; left--) {
      try {
        await this.client.$queryRaw`SELECT 1`;
        return;
      } catch (error) {
        if (!String(error).includes('connection timeout')) return;
      }
    }
  }

  /** A board on which to hear what transactions tell by `pg_notify`; whoever asks for it opens and closes it. */
  createListener(channel: string, listener: PgListenerCallbacks): PgListener {
    return new PgListener(this.options.url, channel, listener);
  }

  /** Calls `listener` with what each transaction said, right after its commit; the relay's fast path. */
  onCommit(listener: (entries: OutboxEntry[]) => void): void {
    this.committed.push(listener);
  }

  /** Calls `listener` inside each transaction when its work is done, with what the work gave; it may `defer` to write. */
  beforeCommit(listener: (tx: Transaction, value: unknown) => void): void {
    this.committing.push(listener);
  }

  /**
   * Runs `work` in a transaction; its outbox entries are written with it. Deadlocks and serialization failures are
   * tried again, so `work` must do nothing outside of the database.
   */
  async transaction<T>(work: (tx: Transaction) => Promise<T>, options: { timeoutMs?: number } = {}): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(work, options.timeoutMs ?? 15_000);
      } catch (error) {
        if (attempt === 5 || !isRetriable(error)) throw error;
        await sleep(10 * 2 ** attempt * Math.random());
      }
    }
  }

  private async attempt<T>(work: (tx: Transaction) => Promise<T>, timeout: number): Promise<T> {
    const draft = new OutboxDraft(this.service);
    const result = await this.pool.follow((run) =>
      this.client.$transaction(
        async (client) => {
          const deferred: Prisma.Sql[] = [];
          const tx = carry(client, draft, deferred, run);
          const value = await work(tx);
          for (const listener of this.committing) listener(tx, value);
          if (draft.entries.length > 0) deferred.push(this.insert(draft.entries));
          await tx.flush();
          return value;
        },
        { timeout, maxWait: 10_000 },
      ),
    );
    if (draft.entries.length > 0) for (const listener of this.committed) listener(draft.entries);
    return result;
  }

  private insert(entries: OutboxEntry[]): Prisma.Sql {
    return Prisma.sql`
      INSERT INTO messaging.outbox (id, service, kind, name, payload, options)
      SELECT id, ${this.service}, kind, name, payload, options
      FROM jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) AS e(id uuid, kind text, name text, payload jsonb, options jsonb)`;
  }

  async close(): Promise<void> {
    await this.client.$disconnect();
    await this.pool.end();
  }
}

/**
 * Adds what is ours to Prisma's transaction client, which is a proxy itself. Ours has a target of its own: around
 * Prisma's, each look-up would also ask that for the property's descriptor, a seventh of what a statement costs.
 */
function carry(
  tx: Prisma.TransactionClient,
  draft: OutboxDraft,
  deferred: Prisma.Sql[],
  run: RunStatement,
): Transaction {
  const known = {
    ...rawCalls(run),
    emit: draft.emit.bind(draft),
    enqueue: draft.enqueue.bind(draft),
    defer: (statement: Prisma.Sql) => void deferred.push(statement),
    flush: async () => void (await combineStatements(known, deferred.splice(0))),
  } as Partial<Transaction> & Pick<Transaction, '$queryRaw' | '$executeRaw'>;
  return new Proxy(known, {
    get: (own, key: keyof Transaction) => own[key] ?? tx[key as keyof Prisma.TransactionClient],
  }) as Transaction;
}

function isRetriable(error: unknown): boolean {
  const text = error instanceof Error ? `${error.message} ${JSON.stringify({ ...error })}` : '';
  return RETRIABLE.some((code) => text.includes(code));
}
