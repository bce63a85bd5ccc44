import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { compileCondition } from '@millrace/query/compile/compile-condition';
import { checkQuery } from '@millrace/query/fields/check-query';
import type { SqlText } from '@millrace/query/fields/column';
import { parseQuery } from '@millrace/query/parse/parse-query';
import { STATEMENT_TIMEOUT_MS } from '../datasets/dataset-transactions.js';
import { QUERY_CANCELED, sqlStateOf } from '../datasets/sql-states.js';
import { tableName } from '../live/names.js';
import { toShape, SHAPE_SQL, type ShapeRow } from '../reading/live-shape.js';

/**
 * Deletes the rows that match `q` from a table that the transaction has locked. The history of their changes stays.
 * @param timeoutMs time limit of the statement
 * @throws QueryError; ValidationError if `q` has no condition or the deletion takes too long
 */
export async function deleteMatchingRows(tx: Transaction, id: string, q: string, timeoutMs: number): Promise<number> {
  const [row] = await tx.$queryRaw<[ShapeRow]>(toPrismaSql({ text: SHAPE_SQL, values: [id] }));
  const { number, columns } = toShape(id, row);
  const condition = checkQuery(parseQuery(q), columns, { now: new Date() });
  // For example, `q` consists of spaces. It would match every row.
  if (condition === null)
    throw new ValidationError({ 'query.q': 'must have a condition; to delete all rows, clear the table' });
  const { text, values } = compileCondition(condition);
  const statement = toPrismaSql({ text: `DELETE FROM ${tableName(number)} WHERE ${text}`, values });
  await tx.$executeRaw(Prisma.raw(`SET LOCAL statement_timeout = ${Math.min(timeoutMs, STATEMENT_TIMEOUT_MS)}`));
  const deleted = await tx.$executeRaw(statement).catch(explainTimeout);
  await tx.dataset.update({
    where: { id },
    data: { rows: { decrement: deleted }, revision: { increment: 1 } },
  });
  return deleted;
}

function explainTimeout(error: unknown): never {
  if (sqlStateOf(error) !== QUERY_CANCELED) throw error;
  throw new ValidationError({ 'query.q': 'takes too long; delete the rows in several requests, or clear the table' });
}

/** Converts SQL of libs/query for a transaction. Its text has no user input, so everything like `$1` is a parameter. */
export function toPrismaSql({ text, values }: SqlText): Prisma.Sql {
  const strings: string[] = [];
  const bound: string[] = [];
  let end = 0;
  for (const { 0: parameter, 1: number, index } of text.matchAll(/\$(\d+)/g)) {
    strings.push(text.slice(end, index));
    bound.push(values[Number(number) - 1] ?? '');
    end = index + parameter.length;
  }
  return new Prisma.Sql([...strings, text.slice(end)], bound);
}
