import type { Transaction } from '@millrace/persistence/database';
import { Prisma, type Dataset } from '@millrace/persistence/generated/client';
import { UNDEFINED_TABLE, sqlStateOf } from '../../datasets/sql-states.js';
import { changesName, tableName } from '../../live/names.js';
import type { Deadline } from './deadline.js';

/** Tables were added or dropped between their lookup and their lock. */
export class TablesChangedError extends Error {}

/**
 * Locks the tables of a solution and returns them as of the transaction's snapshot. Must be the first call of the
 * transaction. Writes and deletions by others do not wait, and neither does the transaction. The locks come before the
 * snapshot, because the rows of a table that is rewritten after the snapshot (`ALTER TYPE`) are not visible in it
 * (Postgres docs, 13.6 "Caveats", and LOCK).
 * @param numbers physical tables, as looked up just before
 * @throws TablesChangedError if the solution has other tables now
 */
export async function lockTables(
  tx: Transaction,
  solutionId: string,
  numbers: readonly number[],
  deadline: Deadline,
): Promise<Dataset[]> {
  await tx.$executeRaw`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`;
  await deadline.applyTo(tx);
  if (numbers.length > 0) {
    const names = numbers.flatMap((number) => [tableName(number), changesName(number)]).join(', ');
    await lock(tx, names);
  }
  const tables = await tx.dataset.findMany({ where: { solutionId }, orderBy: { id: 'asc' } });
  if (tables.some(({ number }) => !numbers.includes(number))) throw new TablesChangedError();
  return tables;
}

async function lock(tx: Transaction, names: string): Promise<void> {
  try {
    await tx.$executeRaw(Prisma.raw(`LOCK TABLE ${names} IN ACCESS SHARE MODE`));
  } catch (error) {
    if (sqlStateOf(error) === UNDEFINED_TABLE) throw new TablesChangedError();
    throw error;
  }
}
