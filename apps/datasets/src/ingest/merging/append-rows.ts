import type { Transaction } from '@millrace/persistence/database';
import type { MergePlan } from './merge-plan.js';
import { run } from './run-statement.js';

/** Adds all rows, in their order. @returns how many */
export function appendRows(tx: Transaction, plan: MergePlan): Promise<number> {
  const { table, rows, source, generation, brought } = plan;
  const columns = brought.map((column) => `, ${column}`).join('');
  return run(
    tx,
    `INSERT INTO ${table} (_s, _f, _j${columns}) SELECT ${source}, ${generation}, _j${columns} FROM (${rows}) s`,
  );
}
