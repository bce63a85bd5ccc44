import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Transaction, Database } from '@millrace/persistence/database';
import { Prisma, type Dataset } from '@millrace/persistence/generated/client';
import { lockRowCount } from '../../datasets/lock-datasets.js';
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

/**
 * Checks that a vault stays within its row limit if copies of some tables are added.
 * @param client sees what other transactions have committed, unlike `tx` with its older snapshot
 * @throws ValidationError if the vault would have more rows than `limit`
 */
export async function checkRowLimit(
  limit: number | undefined,
  tx: Pick<Transaction, '$executeRaw'>,
  client: Pick<Database['client'], 'dataset'>,
  vaultId: string,
  tables: readonly { rows: bigint }[],
): Promise<void> {
  const addedRows = tables.reduce((sum, { rows }) => sum + rows, 0n);
  if (limit === undefined || addedRows === 0n) return;
  await lockRowCount(tx, vaultId);
  const { _sum } = await client.dataset.aggregate({ where: { vaultId }, _sum: { rows: true } });
  const total = (_sum.rows ?? 0n) + addedRows;
  if (total <= limit) return;
  throw new ValidationError({
    body: `would make the vault have ${total} rows, and it may have at most ${limit}; delete rows or Live Tables first`,
  });
}
