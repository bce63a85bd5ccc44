import type { Transaction } from '@millrace/persistence/database';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import { checkQuery } from '@millrace/query/check-query';
import { compileCondition } from '@millrace/query/compile-condition';
import { parseQuery } from '@millrace/query/parse-query';
import { CANCELLED, sqlStateOf } from '../datasets/postgres-error.js';
import { tableName } from '../live/names.js';
import { toStatement } from '../live/to-statement.js';
import { toShape, SHAPE_SQL, type ShapeRow } from '../reading/live-shape.js';

/**
 * Deletes the rows of a table that the transaction holds which match `q`. What is kept of their changes stays.
 * @throws QueryError; ValidationError where they are too many for one request
 */
export async function deleteMatching(tx: Transaction, id: string, q: string): Promise<number> {
  const [row] = await tx.$queryRaw<[ShapeRow]>(toStatement({ text: SHAPE_SQL, values: [id] }));
  const { number, columns } = toShape(id, row);
  const { text, values } = compileCondition(checkQuery(parseQuery(q), columns, { now: new Date() }));
  const statement = toStatement({ text: `DELETE FROM ${tableName(number)} WHERE ${text}`, values });
  const deleted = await tx.$executeRaw(statement).catch(explainTimeout);
  await tx.dataset.update({
    where: { id },
    data: { rows: { decrement: deleted }, revision: { increment: 1 } },
  });
  return deleted;
}

function explainTimeout(error: unknown): never {
  if (sqlStateOf(error) !== CANCELLED) throw error;
  throw new ValidationError({ 'query.q': 'takes too long; delete the rows in parts, or clear the table' });
}
