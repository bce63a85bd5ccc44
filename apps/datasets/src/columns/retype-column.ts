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
import { dropColumnIndexes } from '../indexes/drop-column-indexes.js';
import { columnName, tableName } from '../live/names.js';
import { changeType } from '../live/table-ddl.js';
import { castSql } from './cast-sql.js';
import type { OwnColumn } from './find-column.js';

/** Values that are shown where they do not fit. */
const MAX_SHOWN = 10;
const MAX_SHOWN_LENGTH = 200;
const PLACE = 'body.type';
const REASONS: Record<string, string> = {
  [UNIQUE_VIOLATION]: 'two rows would have the same primary key',
  [PROGRAM_LIMIT_EXCEEDED]: 'some values would be too long for the primary key',
  [STATEMENT_TOO_COMPLEX]: 'not every value is a json: some are nested too deeply',
  [QUERY_CANCELED]: 'the table is too large for that: it takes more than 20 seconds',
};

/**
 * Changes the type of a column with all its values, of a table that the transaction holds.
 * @throws ValidationError where some do not fit the new type; nothing is changed then
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
    await refuseUnfit(tx, dataset.number, column.number, fits, type);
    await dropColumnIndexes(tx, dataset, column.number);
    await tx.$executeRaw(change);
  } catch (error) {
    const reason = REASONS[sqlStateOf(error) ?? ''];
    throw reason === undefined ? error : new ValidationError({ [PLACE]: reason });
  }
}

async function refuseUnfit(tx: Transaction, table: number, column: number, fits: string, type: string): Promise<void> {
  const name = columnName(column);
  const unfit = await tx.$queryRaw<{ value: string }[]>(
    Prisma.raw(
      `SELECT DISTINCT left(${name}::text, ${MAX_SHOWN_LENGTH}) AS value FROM ${tableName(table)}
       WHERE ${name} IS NOT NULL AND (${fits}) IS NOT TRUE LIMIT ${MAX_SHOWN}`,
    ),
  );
  if (unfit.length === 0) return;
  const values = unfit.map(({ value }) => value).sort();
  throw new ValidationError({ [PLACE]: `not every value is a ${type}`, values });
}
