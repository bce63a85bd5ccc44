import { Prisma } from '@millrace/persistence/generated/client';
import { changesName, columnName, tableName } from './names.js';
import { createKeyIndex, createTables, type PhysicalColumn } from './table-ddl.js';

const SYSTEM = ['_id', '_s', '_f', '_c', '_l', '_g', '_j'];
const CHANGES = 'generation, row_id, kind, before, after';

/**
 * Statements that make the tables of a dataset with all that those of another one hold: its rows under their numbers, what
 * changed in them, and where the numbers go on. The index of the key comes last, for it is made faster than kept.
 */
export function copyTables(
  from: number,
  to: number,
  columns: readonly PhysicalColumn[],
  key: readonly number[],
): Prisma.Sql[] {
  const names = [...SYSTEM, ...columns.map(({ number }) => columnName(number))].join(', ');
  const [source, target] = [tableName(from), tableName(to)];
  return [
    ...createTables(to, columns),
    Prisma.raw(`INSERT INTO ${target} (${names}) SELECT ${names} FROM ${source}`),
    Prisma.raw(`INSERT INTO ${changesName(to)} (${CHANGES}) SELECT ${CHANGES} FROM ${changesName(from)}`),
    Prisma.raw(
      `SELECT setval(pg_get_serial_sequence('${target}', '_id'), 1 + greatest(0, (SELECT max(_id) FROM ${source}),
         pg_sequence_last_value(pg_get_serial_sequence('${source}', '_id')::regclass)), false)`,
    ),
    ...(key.length > 0 ? [createKeyIndex(to, key)] : []),
    Prisma.raw(`ANALYZE ${target}`),
  ];
}
