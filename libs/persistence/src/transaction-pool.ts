import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { PreparedClient } from './connections/prepared-client.js';
import { Prisma } from './generated/client.js';

const { builtins, getTypeParser } = pg.types;
/** OID of an array of 64-bit numbers, which pg parses as strings (pg_type.dat). */
const INT8_ARRAY = 1016;
const parseStringArray = getTypeParser(INT8_ARRAY as typeof builtins.INT8) as (text: string) => string[];

/** 64-bit numbers become `bigint`, as in Prisma; pg and Prisma parse all other types alike. */
const PARSERS = new Map<number, (text: string) => unknown>([
  [builtins.INT8, BigInt],
  [INT8_ARRAY, (text) => parseStringArray(text).map(BigInt)],
]);
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): unknown => PARSERS.get(oid) ?? getTypeParser(oid, format),
};

/** Message of the error for a statement after the end of its transaction. */
export const TRANSACTION_ENDED_MESSAGE = 'The transaction has already ended';

export interface TransactionSettings {
  /** Postgres ends a statement of the transaction that takes longer. Prisma only waits for it, and its locks stay. */
  timeoutMs: number;
  /**
   * Whether its statements find all rows by their keys. Postgres then plans each statement once, and not again for each value,
   * which takes longer than to execute it; and it never reads a whole table, which is cheapest only while the table is small.
   */
  findsByKey?: boolean;
}

/** An open transaction: its connection, and a function that runs statements on it until it ends. */
interface OpenTransaction {
  settings: TransactionSettings;
  connection: pg.PoolClient | null;
  run: ((query: pg.QueryConfig) => Promise<pg.QueryResult>) | null;
  /** Statements that COMMIT is sent behind, and that have to succeed nevertheless. */
  last: Promise<unknown> | null;
  /** Why they failed. */
  failure: unknown;
}

/** The access to an open transaction. */
export interface TransactionStatements {
  run: RunStatement;
  /**
   * Lets COMMIT follow the last statements of the transaction without waiting for their results. If one of them fails, Postgres
   * rolls the transaction back, and the transaction rejects with the reason. Resolves when they are sent.
   */
  sendCommitBehind: (last: Promise<unknown>) => Promise<void>;
}

/**
 * The connection pool of Prisma, which also runs raw statements directly, even in transactions of Prisma. A raw
 * statement costs 0.19 ms of CPU in this process through Prisma and 0.06 ms on the connection (Node 24, Prisma 7.10, 3
 * columns).
 *
 * Its connections are pipelined: statements are sent without waiting for the results of those before, and Postgres executes
 * them in their order. BEGIN travels with the first statement of a transaction, and COMMIT with the last.
 */
export class TransactionPool extends pg.Pool {
  readonly nameStatement = nameStatements();
  private readonly current = new AsyncLocalStorage<OpenTransaction>();

  constructor(options: pg.PoolConfig) {
    super({ ...options, pipeline: true, Client: PreparedClient });
  }

  /** Runs a statement on any free connection. */
  send(statement: Prisma.Sql): Promise<pg.QueryResult> {
    return this.query(this.prepare(statement));
  }

  /** Runs `execute`; the next connection requested within it is that of its transaction. */
  async withTransaction<T>(
    settings: TransactionSettings,
    execute: (statements: TransactionStatements) => Promise<T>,
  ): Promise<T> {
    const transaction: OpenTransaction = { settings, connection: null, run: null, last: null, failure: undefined };
    const statements: TransactionStatements = {
      run: (statement) => this.run(transaction, statement),
      sendCommitBehind: (last) => sendBehind(transaction, last),
    };
    try {
      return await this.current.run(transaction, () => execute(statements));
    } catch (error) {
      // Prisma rejects with an error of its own for the COMMIT.
      throw transaction.failure ?? error;
    }
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void;
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<pg.PoolClient> | void {
    if (callback) return super.connect(callback);
    const transaction = this.current.getStore();
    const connecting = super.connect();
    return transaction && !transaction.connection
      ? connecting.then((connection) => this.attach(transaction, connection))
      : connecting;
  }

  /**
   * Prisma may end a transaction that takes too long at any point. Statements after its COMMIT or ROLLBACK are not part
   * of it.
   */
  private attach(transaction: OpenTransaction, connection: pg.PoolClient): pg.PoolClient {
    const query = connection.query.bind(connection) as (...args: unknown[]) => Promise<pg.QueryResult>;
    const release = connection.release.bind(connection);
    transaction.connection = connection;
    transaction.run = query;
    connection.query = ((...args: unknown[]) => {
      if (isStatement(args[0], 'BEGIN')) return begin(query, transaction.settings);
      if (!isStatement(args[0], 'COMMIT', 'ROLLBACK')) return query(...args);
      transaction.run = null;
      return isStatement(args[0], 'COMMIT') ? commit(query(...args), transaction.last) : query(...args);
    }) as pg.PoolClient['query'];
    connection.release = (error?: Error | boolean) => {
      transaction.run = null;
      // Restores the method that all connections share.
      Reflect.deleteProperty(connection, 'query');
      release(error);
    };
    return connection;
  }

  /** @throws Error after the transaction has ended, because its connection may then belong to another one */
  private run({ run }: OpenTransaction, statement: Prisma.Sql): Promise<pg.QueryResult> {
    return run ? run(this.prepare(statement)) : Promise.reject(new Error(TRANSACTION_ENDED_MESSAGE));
  }

  private prepare({ text, values }: Prisma.Sql) {
    return { name: this.nameStatement({ sql: text }), text, values, types };
  }
}

const isStatement = (query: unknown, ...texts: string[]): boolean =>
  texts.includes((query as Partial<pg.QueryConfig>).text ?? '');

/**
 * Sends BEGIN with the settings, and answers at once: the statements behind it need no result of it. If it fails, so do they,
 * because the connection is lost.
 */
function begin(
  query: (text: string) => Promise<unknown>,
  { timeoutMs, findsByKey }: TransactionSettings,
): Promise<Partial<pg.QueryResult>> {
  const settings = [`statement_timeout = ${Math.ceil(timeoutMs)}`];
  if (findsByKey) settings.push('plan_cache_mode = force_generic_plan', 'enable_seqscan = off');
  query(['BEGIN', ...settings.map((setting) => `SET LOCAL ${setting}`)].join('; ')).catch(() => undefined);
  return Promise.resolve({ command: 'BEGIN', rowCount: null, rows: [], fields: [] });
}

async function sendBehind(transaction: OpenTransaction, last: Promise<unknown>): Promise<void> {
  transaction.last = last;
  last.catch((error: unknown) => (transaction.failure = error));
  // What cannot be sent fails before the next turn of the event loop. Postgres would not know of it, and commit.
  await Promise.race([last, setImmediate()]);
}

/** @throws the error of a statement before it: Postgres answers COMMIT with a rollback then, and not with an error */
async function commit(committed: Promise<pg.QueryResult>, last: Promise<unknown> | null): Promise<pg.QueryResult> {
  const [result] = await Promise.all([committed, last]);
  if (result.command !== 'COMMIT')
    throw new Error('Postgres rolled the transaction back, because a statement in it failed');
  return result;
}

/** Maximum number of prepared statements per connection. */
const MAX_PREPARED_STATEMENTS = 500;
/** Maximum number of texts that are counted: lists of varying length produce ever new texts. */
const MAX_COUNTED_TEXTS = 5_000;
/** A statement is prepared when it is used this often. */
const MIN_USES = 3;

/**
 * Names repeated statements, so that Postgres prepares them once per connection (Postgres docs, PREPARE). Without it,
 * parsing took two thirds of the time of the statements of the engine.
 * @returns a function from the text of a statement to its name, or undefined if it is not prepared
 */
export function nameStatements(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  const useCounts = new Map<string, number>();
  const nameOf = ({ sql }: { sql: string }): string | undefined => {
    const existing = names.get(sql);
    if (existing !== undefined || names.size >= MAX_PREPARED_STATEMENTS) return existing;
    const uses = (useCounts.get(sql) ?? 0) + 1;
    if (uses < MIN_USES) {
      if (useCounts.size < MAX_COUNTED_TEXTS) useCounts.set(sql, uses);
      return undefined;
    }
    useCounts.delete(sql);
    const name = `millrace_${names.size}`;
    names.set(sql, name);
    return name;
  };
  // adapter-pg passes the name to pg, where undefined means an unnamed statement; only the type does not allow it.
  return nameOf as (query: { sql: string }) => string;
}

export type RunStatement = (statement: Prisma.Sql) => Promise<pg.QueryResult>;

/** Replaces the raw calls of Prisma, which take a template or a `Prisma.sql`, by direct ones. */
export function rawCalls(run: RunStatement): Pick<Prisma.TransactionClient, '$queryRaw' | '$executeRaw'> {
  type Query = [query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]];
  const send = ([query, ...values]: Query) => run(query instanceof Prisma.Sql ? query : Prisma.sql(query, ...values));
  return {
    $queryRaw: async (...query: Query) => (await send(query)).rows as unknown[],
    $executeRaw: async (...query: Query) => (await send(query)).rowCount ?? 0,
  } as Pick<Prisma.TransactionClient, '$queryRaw' | '$executeRaw'>;
}
