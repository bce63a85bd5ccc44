import type { Transaction } from '@millrace/persistence/database';
import { keyIndexName } from '../../live/names.js';
import { createKeyIndex } from '../../live/table-ddl.js';
import { appendRows } from './append-rows.js';
import type { MergePlan } from './merge-plan.js';
import { run } from './run-statement.js';

const UNIQUE_VIOLATION = '23505';

/**
 * Fills an empty table with rows of which each has, most likely, a key of its own; its index is made when they are there,
 * by sorting, in a third of the time that it takes to keep it up row by row.
 * @returns how many rows; null, with the table as it was, where two have the same key
 */
export async function fillTable(tx: Transaction, plan: MergePlan): Promise<number | null> {
  await run(tx, 'SAVEPOINT before_filling');
  try {
    await run(tx, "SET LOCAL lock_timeout = '3s'");
    await run(tx, `DROP INDEX live.${keyIndexName(plan.number)}`);
    await run(tx, 'SET LOCAL lock_timeout = 0');
    const count = await appendRows(tx, plan);
    await tx.$executeRaw(createKeyIndex(plan.number, plan.key.map(numberOf)));
    return count;
  } catch (error) {
    if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error;
    await run(tx, 'ROLLBACK TO SAVEPOINT before_filling');
    return null;
  }
}

const numberOf = (column: string): number => Number(column.slice(1));
