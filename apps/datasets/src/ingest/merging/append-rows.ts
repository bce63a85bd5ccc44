import type { Transaction } from '@millrace/persistence/database';
import type { MergePlan } from './merge-plan.js';
import { runStatement } from './run-statement.js';

/** Adds all rows, in their order. @returns how many */
export function insertRows(tx: Transaction, plan: MergePlan): Promise<number> {
  const { table, rows, source, generation, loadedColumns } = plan;
  const columns = loadedColumns.map((column) => `, ${column}`).join('');
  return runStatement(
    tx,
    `INSERT INTO ${table} (_s, _f, _j${columns}) SELECT ${source}, ${generation}, _j${columns} FROM (${rows}) s`,
  );
}
