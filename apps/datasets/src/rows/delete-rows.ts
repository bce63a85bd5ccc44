import type { Transaction } from '@millrace/persistence/database';
import { checkQuery } from '@millrace/query/check-query';
import { compileCondition } from '@millrace/query/compile-condition';
import { parseQuery } from '@millrace/query/parse-query';
import { tableName } from '../live/names.js';
import { toStatement } from '../live/to-statement.js';
import { toShape, SHAPE_SQL, type ShapeRow } from '../reading/live-shape.js';

/**
 * Deletes the rows of a table that the transaction holds which match `q`. What is kept of their changes stays.
 * @throws QueryError
 */
export async function deleteMatching(tx: Transaction, id: string, q: string): Promise<number> {
  const [row] = await tx.$queryRaw<[ShapeRow]>(toStatement({ text: SHAPE_SQL, values: [id] }));
  const { number, columns } = toShape(id, row);
  const { text, values } = compileCondition(checkQuery(parseQuery(q), columns, { now: new Date() }));
  const statement = toStatement({ text: `DELETE FROM ${tableName(number)} WHERE ${text}`, values });
  const deleted = await tx.$executeRaw(statement);
  await tx.dataset.update({
    where: { id },
    data: { rows: { decrement: deleted }, revision: { increment: 1 } },
  });
  return deleted;
}
