import type { Transaction } from '@millrace/persistence/database';
import { Prisma, type Dataset } from '@millrace/persistence/generated/client';
import { UNDEFINED_TABLE, sqlStateOf } from '../../datasets/sql-states.js';
import { changesName, tableName } from '../../live/names.js';
import type { Deadline } from './deadline.js';

/** Tables were added or dropped while they were looked up. */
export class TablesChangedError extends Error {}

/**
 * The tables of a solution, all of this one moment, for the rest of the transaction; call it first. Who writes or deletes
 * them meanwhile neither waits nor is waited for. They are locked before the moment is taken, since what is in a table
 * that is rewritten after it (`ALTER TYPE`) is not seen (Postgres docs, 13.6 "Caveats"; LOCK says in what order).
 * @param numbers of the tables, as they were looked up a moment ago
 * @throws TablesChanged where the solution has others by now
 */
export async function lockTables(
  tx: Transaction,
  solutionId: string,
  numbers: readonly number[],
  limit: Deadline,
): Promise<Dataset[]> {
  await tx.$executeRaw`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`;
  await limit.applyTo(tx);
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
