import type { Transaction } from '@millrace/persistence/database';
import { Prisma, type Dataset, type DatasetColumn } from '@millrace/persistence/generated/client';
import { columnName, tableName } from '../../live/names.js';
import { type StagedShape, fixedType } from './known-columns.js';

type TableWithColumns = Pick<Dataset, 'rows' | 'number'> & { columns: DatasetColumn[] };

/**
 * Names of columns with integers that a double cannot represent exactly. Together with other numbers such integers are
 * text, because a double would lose digits. Only columns of the table that would become double are searched.
 */
export async function findInexactColumns(
  client: Pick<Transaction, '$queryRaw'>,
  table: TableWithColumns,
  shapes: readonly StagedShape[],
): Promise<ReadonlySet<string>> {
  const staged = shapes.flatMap(({ columns }) => columns);
  const inexact = new Set(staged.filter((column) => column.large).map(({ name }) => name));
  const doubles = new Set(staged.filter(({ type }) => type === 'double').map(({ name }) => name));
  for (const column of table.columns) {
    const { name, number } = column;
    if (inexact.has(name) || !doubles.has(name) || fixedType(table, column) !== 'bigint') continue;
    if (await hasInexactIntegers(client, table.number, number)) inexact.add(name);
  }
  return inexact;
}

/** Whether the column contains an integer outside the range in which each integer is a double of its own. */
async function hasInexactIntegers(
  client: Pick<Transaction, '$queryRaw'>,
  table: number,
  column: number,
): Promise<boolean> {
  const max = Number.MAX_SAFE_INTEGER;
  const [found] = await client.$queryRaw<{ inexact: boolean }[]>(
    Prisma.raw(
      `SELECT EXISTS (SELECT 1 FROM ${tableName(table)} WHERE ${columnName(column)} NOT BETWEEN -${max} AND ${max}) AS inexact`,
    ),
  );
  return found?.inexact === true;
}
