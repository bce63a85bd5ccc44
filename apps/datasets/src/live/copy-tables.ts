import { Prisma } from '@millrace/persistence/generated/client';
import { changesName, columnName, tableName } from './names.js';
import { createKeyIndex, createTables, type PhysicalColumn } from './table-ddl.js';

const SYSTEM_COLUMNS = ['_id', '_s', '_f', '_c', '_l', '_g', '_j'];
const CHANGE_COLUMNS = 'generation, row_id, kind, before, after';

/**
 * Statements that create the tables of a dataset as copies of another one's: rows with their numbers, recorded changes,
 * and the next row number. The index of the key comes last, because building it once is faster than updating it per row.
 */
export function copyTables(
  from: number,
  to: number,
  columns: readonly PhysicalColumn[],
  key: readonly number[],
): Prisma.Sql[] {
  const names = [...SYSTEM_COLUMNS, ...columns.map(({ number }) => columnName(number))].join(', ');
  const [source, target] = [tableName(from), tableName(to)];
  return [
    ...createTables(to, columns),
    Prisma.raw(`INSERT INTO ${target} (${names}) SELECT ${names} FROM ${source}`),
    Prisma.raw(`INSERT INTO ${changesName(to)} (${CHANGE_COLUMNS}) SELECT ${CHANGE_COLUMNS} FROM ${changesName(from)}`),
    Prisma.raw(
      `SELECT setval(pg_get_serial_sequence('${target}', '_id'), 1 + greatest(0, (SELECT max(_id) FROM ${source}),
         pg_sequence_last_value(pg_get_serial_sequence('${source}', '_id')::regclass)), false)`,
    ),
    ...(key.length > 0 ? [createKeyIndex(to, key)] : []),
    Prisma.raw(`ANALYZE ${target}`),
  ];
}
