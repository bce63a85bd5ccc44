import type { Transaction } from './database.js';
import { Prisma } from './generated/client.js';

/**
 * Runs statements that change different rows in one round trip, as the parts of one `WITH` (Postgres docs, 7.8.4
 * "Data-Modifying Statements in WITH"): none sees what the others change, and their order is open. A round trip costs
 * about as much as ten small changes, so what goes together should travel together.
 */
export async function together(tx: Pick<Transaction, '$executeRaw'>, statements: Prisma.Sql[]): Promise<void> {
  if (statements.length === 0) return;
  const parts = statements.map((statement, at) => Prisma.sql`${Prisma.raw(`part_${at}`)} AS (${statement})`);
  await tx.$executeRaw(Prisma.sql`WITH ${Prisma.join(parts)} SELECT 1`);
}
