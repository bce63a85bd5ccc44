import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import type { FullDataset } from '../datasets/find-dataset.js';
import {
  QUERY_CANCELED,
  UNIQUE_VIOLATION,
  sqlStateOf,
  STATEMENT_TOO_COMPLEX,
  PROGRAM_LIMIT_EXCEEDED,
} from '../datasets/sql-states.js';
import { dropColumnIndexes } from '../indexes/index-ddl.js';
import { castSql } from '../live/cast-sql.js';
import { columnName, tableName } from '../live/names.js';
import { changeType } from '../live/table-ddl.js';
import type { OwnColumn } from './dataset-columns.js';

/** Values that a message shows if they do not fit. */
const MAX_SHOWN = 10;
const MAX_SHOWN_LENGTH = 200;
const REASONS: Record<string, string> = {
  [UNIQUE_VIOLATION]: 'must not give two rows the same primary key',
  [PROGRAM_LIMIT_EXCEEDED]: 'must not make values too long for the primary key',
  [STATEMENT_TOO_COMPLEX]: 'must fit all values of the column, but some are nested too deeply for json',
  [QUERY_CANCELED]: 'cannot be changed within 20 seconds, because the table is too large',
};

/**
 * Converts a column with all its values to another type. The table is locked by the transaction.
 * @throws ValidationError if some values do not fit the new type; the column is unchanged then
 */
export async function retypeColumn(
  tx: Transaction,
  dataset: FullDataset,
  column: OwnColumn,
  type: ColumnType,
): Promise<void> {
  await tx.$executeRaw`SET LOCAL TimeZone = 'UTC'`;
  const { fits, using } = castSql(columnName(column.number), column.type as ColumnType, type);
  const change = changeType(dataset.number, { number: column.number, type }, using);
  try {
    await requireFit(tx, dataset.number, column.number, fits, type);
    await dropColumnIndexes(tx, dataset, column.number);
    await tx.$executeRaw(change);
  } catch (error) {
    const reason = REASONS[sqlStateOf(error) ?? ''];
    throw reason === undefined ? error : new ValidationError({ 'body.type': reason });
  }
}

async function requireFit(tx: Transaction, table: number, column: number, fits: string, type: string): Promise<void> {
  const name = columnName(column);
  const unfit = await tx.$queryRaw<{ value: string }[]>(
    Prisma.raw(
      `SELECT DISTINCT left(${name}::text, ${MAX_SHOWN_LENGTH}) AS value FROM ${tableName(table)}
       WHERE ${name} IS NOT NULL AND (${fits}) IS NOT TRUE LIMIT ${MAX_SHOWN}`,
    ),
  );
  if (unfit.length === 0) return;
  const values = unfit.map(({ value }) => value).sort();
  throw new ValidationError({
    'body.type': `must fit all values of the column, but some are not of type ${type} (see \`values\`)`,
    values,
  });
}
