import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { POSTGRES_TYPE } from '../../live/cast-sql.js';
import { columnName, stagingName } from '../../live/names.js';
import type { StagedShape } from '../staging/staged-shape.js';
import type { WrittenColumn } from './columns/alter-columns.js';
import { castColumnSql } from './columns/cast-column.js';
import { keyFormSql } from './columns/key-form.js';
import type { StagedBatch } from './merge-state.js';

/** Query of all staged rows: `_p` part, `_n` line, `_j` subjob, and the values under the names of the table's columns. */
export function stagedRows(batches: readonly StagedBatch[], columns: readonly WrittenColumn[]): string {
  return batches.map((batch) => batchRowsSql(batch, columns)).join('\nUNION ALL\n');
}

function batchRowsSql(staged: StagedBatch, columns: readonly WrittenColumn[]): string {
  const places = new Map(staged.shape.columns.map((column) => [column.name, column]));
  const values = columns.map((column) => `, ${valueSql(column, places)} AS ${columnName(column.number)}`);
  const { batch, subjob, hasSubjobs } = staged;
  const [join, subjobSql] =
    hasSubjobs && subjob === null
      ? [' JOIN datasets.load_part p ON p.id = s._p', 'p.subjob_id']
      : ['', `${subjob ?? 'NULL'}::bigint`];
  return `SELECT s._p, s._n, ${subjobSql} AS _j${values.join('')} FROM ${stagingName(batch)} s${join} WHERE s._r IS NULL`;
}

function valueSql(column: WrittenColumn, places: ReadonlyMap<string, StagedShape['columns'][number]>): string {
  const { place, type: from } = places.get(column.name) ?? { place: null, type: null };
  if (place === null || from === null) return `NULL::${POSTGRES_TYPE[column.type]}`;
  const value = castColumnSql(`s.c${place}`, from, column.type);
  return hasKeyForm(column) ? keyFormSql(value, column.formerType, column.declared) : value;
}

/** Whether the values of a column are converted to the text form of its former type. */
export const hasKeyForm = (column: WrittenColumn): column is WrittenColumn & { formerType: ColumnType } =>
  column.inKey && column.formerType !== null;
