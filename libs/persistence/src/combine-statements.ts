import type { Transaction } from './database.js';
import { Prisma } from './generated/client.js';

/**
 * Runs statements that change different rows in one round trip, as parts of one `WITH` (Postgres docs, 7.8.4
 * "Data-Modifying Statements in WITH"). No part sees the changes of another, and their order is undefined. A round trip
 * costs about as much as ten small changes.
 * @param returning a further statement, whose rows (`RETURNING`) are the result
 */
export async function combineStatements<Row = never>(
  tx: Pick<Transaction, '$executeRaw' | '$queryRaw'>,
  statements: Prisma.Sql[],
  returning?: Prisma.Sql,
): Promise<Row[]> {
  const parts = statements.map((statement, index) => Prisma.sql`${Prisma.raw(`part_${index}`)} AS (${statement})`);
  if (returning) {
    return tx.$queryRaw<Row[]>(
      Prisma.sql`WITH ${Prisma.join([...parts, Prisma.sql`result AS (${returning})`])} SELECT * FROM result`,
    );
  }
  if (parts.length > 0) await tx.$executeRaw(Prisma.sql`WITH ${Prisma.join(parts)} SELECT 1`);
  return [];
}
