import { Prisma, type PrismaClient } from './generated/client.js';

/** Rows per statement: it takes a tenth of a second, so that none holds its locks for long. */
const BATCH_SIZE = 5_000;

type Client = Pick<PrismaClient, '$executeRaw'>;

/**
 * Deletes the rows of a table that a condition selects, in one statement for each batch. It skips rows that another
 * transaction has locked, so that several copies of a service can share the work.
 * @param table trusted name with its schema, such as `auth.invitation`
 * @returns how many rows were deleted
 */
export async function deleteInBatches(
  client: Client,
  table: string,
  condition: Prisma.Sql,
  batchSize = BATCH_SIZE,
): Promise<number> {
  for (let deleted = 0; ;) {
    const count = await deleteBatch(client, table, condition, batchSize);
    deleted += count;
    if (count < batchSize) return deleted;
  }
}

/** Deletes one batch, as `deleteInBatches` does. @returns how many rows were deleted */
export async function deleteBatch(
  client: Client,
  table: string,
  condition: Prisma.Sql,
  batchSize = BATCH_SIZE,
): Promise<number> {
  const name = Prisma.raw(table);
  // Not every table has a column that identifies a row. A locked row keeps its place until the statement has ended.
  return client.$executeRaw`
    DELETE FROM ${name} WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM ${name} WHERE ${condition} LIMIT ${batchSize}::int FOR UPDATE SKIP LOCKED))`;
}

/** Condition: a column with a time is older than a number of days, which may be a fraction. */
export const isOlderThanDays = (column: string, days: number): Prisma.Sql =>
  Prisma.sql`${Prisma.raw(column)} < now() - ${days}::float8 * interval '1 day'`;
