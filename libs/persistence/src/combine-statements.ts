import type { Transaction } from './database.js';
import { Prisma } from './generated/client.js';

/**
 * Runs statements that change different rows in one round trip, as the parts of one `WITH` (Postgres docs, 7.8.4
 * "Data-Modifying Statements in WITH"): none sees what the others change, and their order is open. A round trip costs
 * about as much as ten small changes, so what goes together should travel together.
 * @param asked a statement whose rows are wanted (`RETURNING`)
 */
export async function combineStatements<Row = never>(
  tx: Pick<Transaction, '$executeRaw' | '$queryRaw'>,
  statements: Prisma.Sql[],
  asked?: Prisma.Sql,
): Promise<Row[]> {
  const parts = statements.map((statement, at) => Prisma.sql`${Prisma.raw(`part_${at}`)} AS (${statement})`);
  if (asked) {
    return tx.$queryRaw<Row[]>(
      Prisma.sql`WITH ${Prisma.join([...parts, Prisma.sql`asked AS (${asked})`])} SELECT * FROM asked`,
    );
  }
  if (parts.length > 0) await tx.$executeRaw(Prisma.sql`WITH ${Prisma.join(parts)} SELECT 1`);
  return [];
}
