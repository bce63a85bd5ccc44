import type { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { Database, Transaction } from '@millrace/persistence/database';
import type { Prisma } from '@millrace/persistence/generated/client';

/** What a check may use. */
export interface CheckTools {
  database: Database;
  rpc: RpcClient;
  /** Number of violations after which it may stop. */
  limit: number;
}

/**
 * A statement about the stored data of a service that must hold at all times, or did a moment ago: records that may still be
 * on their way do not count.
 */
export interface InvariantCheck {
  /** A sentence, such as "Every run that has not ended can progress". */
  name: string;
  /** @returns ids of records for which the statement does not hold, up to the limit */
  findViolations(tools: CheckTools): Promise<string[]>;
}

/** Postgres ends a check that takes longer. The check then counts as not carried out. */
const TIMEOUT_MS = 10 * 60_000;

/** A check by one query, which Postgres executes. @param query selects the column `id`, as text, of each violation */
export const checkBySql = (name: string, query: Prisma.Sql): InvariantCheck => ({
  name,
  findViolations: ({ database, limit }) => readOnly(database, (tx) => selectIds(tx, query, limit)),
});

const readOnly = <T>(database: Database, read: (tx: Transaction) => Promise<T>): Promise<T> =>
  database.transaction(
    async (tx) => {
      await tx.$executeRaw`SET TRANSACTION READ ONLY`;
      return read(tx);
    },
    { timeoutMs: TIMEOUT_MS },
  );

async function selectIds(tx: Transaction, query: Prisma.Sql, limit: number): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`SELECT id FROM (${query}) AS violation LIMIT ${limit}::int`;
  return rows.map(({ id }) => id);
}
