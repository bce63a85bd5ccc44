import { columnName, stagingName } from '../../live/names.js';
import { POSTGRES_TYPE } from '../../live/postgres-type.js';
import { castColumn } from './cast-column.js';
import type { WrittenColumn } from './change-shape.js';
import type { StagedBatch } from './read-state.js';

/** A query of all rows that were staged: `_p` part, `_n` line, `_j` subjob, and the values by the names of the table's columns. */
export function stagedRows(batches: readonly StagedBatch[], columns: readonly WrittenColumn[]): string {
  return batches.map((batch) => rowsOf(batch, columns)).join('\nUNION ALL\n');
}

function rowsOf(staged: StagedBatch, columns: readonly WrittenColumn[]): string {
  const places = new Map(staged.shape.columns.map((column) => [column.name, column]));
  const values = columns.map(({ name, number, type }) => {
    const { place, type: from } = places.get(name) ?? { place: null, type: null };
    const value =
      place === null || from === null ? `NULL::${POSTGRES_TYPE[type]}` : castColumn(`s.c${place}`, from, type);
    return `, ${value} AS ${columnName(number)}`;
  });
  const { batch, subjob, hasSubjobs } = staged;
  const [join, of] =
    hasSubjobs && subjob === null
      ? [' JOIN datasets.load_part p ON p.id = s._p', 'p.subjob_id']
      : ['', `${subjob ?? 'NULL'}::bigint`];
  return `SELECT s._p, s._n, ${of} AS _j${values.join('')} FROM ${stagingName(batch)} s${join} WHERE s._r IS NULL`;
}
