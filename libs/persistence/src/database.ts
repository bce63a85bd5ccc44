import { setTimeout as sleep } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import { type Prisma, PrismaClient } from './generated/client.js';
import { nameStatements } from './name-statements.js';
import { OutboxDraft, type OutboxEntry } from './outbox.js';

/** Queries of one transaction, with `emit` and `enqueue` that take effect when, and only when, it commits. */
export type Transaction = Prisma.TransactionClient & Pick<OutboxDraft, 'emit' | 'enqueue'>;

export interface DatabaseOptions {
  url: string;
  service: ServiceName;
  /** Most connections held; a service's transactions beyond that wait. */
  connections: number;
}

/** Serialization failure, deadlock: the transaction did nothing and may be tried again (Postgres, appendix A). */
const RETRIABLE = ['40001', '40P01', 'P2034'];

/** One service's way to Postgres. Reads may go through `client`; writes belong in a `transaction`. */
export class Database {
  readonly client: PrismaClient;
  private readonly committed: ((entries: OutboxEntry[]) => void)[] = [];
  private readonly committing: ((tx: Transaction, value: unknown) => Promise<void>)[] = [];

  constructor(private readonly options: DatabaseOptions) {
    const adapter = new PrismaPg(
      {
        connectionString: options.url,
        max: options.connections,
        connectionTimeoutMillis: 5_000,
        application_name: `millrace-${options.service}`,
      },
      { statementNameGenerator: nameStatements() },
    );
    this.client = new PrismaClient({ adapter });
  }

  get service(): ServiceName {
    return this.options.service;
  }

  /** Calls `listener` with what each transaction said, right after its commit; the relay's fast path. */
  onCommit(listener: (entries: OutboxEntry[]) => void): void {
    this.committed.push(listener);
  }

  /** Calls `listener` inside each transaction when its work is done, with what the work gave. */
  beforeCommit(listener: (tx: Transaction, value: unknown) => Promise<void>): void {
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
    const result = await this.client.$transaction(
      async (client) => {
        const tx = carry(client, draft);
        const value = await work(tx);
        for (const listener of this.committing) await listener(tx, value);
        if (draft.entries.length > 0) await this.write(tx, draft.entries);
        return value;
      },
      { timeout, maxWait: 10_000 },
    );
    if (draft.entries.length > 0) for (const listener of this.committed) listener(draft.entries);
    return result;
  }

  private async write(tx: Prisma.TransactionClient, entries: OutboxEntry[]): Promise<void> {
    const rows = JSON.stringify(entries);
    await tx.$executeRaw`
      INSERT INTO messaging.outbox (id, service, kind, name, payload, options)
      SELECT id, ${this.service}, kind, name, payload, options
      FROM jsonb_to_recordset(${rows}::jsonb) AS e(id uuid, kind text, name text, payload jsonb, options jsonb)`;
  }

  async close(): Promise<void> {
    await this.client.$disconnect();
  }
}

/** Adds `emit` and `enqueue` to Prisma's transaction client, whose own properties are looked up lazily by a proxy. */
function carry(tx: Prisma.TransactionClient, draft: OutboxDraft): Transaction {
  const extra: Pick<OutboxDraft, 'emit' | 'enqueue'> = {
    emit: draft.emit.bind(draft),
    enqueue: draft.enqueue.bind(draft),
  };
  return new Proxy(tx, {
    get: (target, key: keyof Transaction) =>
      (key in extra ? Reflect.get(extra, key) : Reflect.get(target, key)) as unknown,
  }) as Transaction;
}

function isRetriable(error: unknown): boolean {
  const text = error instanceof Error ? `${error.message} ${JSON.stringify({ ...error })}` : '';
  return RETRIABLE.some((code) => text.includes(code));
}
