import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { POSTGRES_TYPE } from '../../live/cast-sql.js';
import { columnName, tableName } from '../../live/names.js';

interface Queries {
  query<R extends object>(sql: string, values?: unknown[]): Promise<R[]>;
}

/** Puts rows straight into a table, each a list of its values as texts that Postgres reads. */
export async function fillTable(
  database: Queries,
  { number, types }: { number: number; types: readonly ColumnType[] },
  rows: readonly (readonly (string | null)[])[],
): Promise<void> {
  if (rows.length === 0) return;
  const names = types.map((_, at) => columnName(at + 1));
  const values = types.map((type, at) => `, (r->>${at})::${POSTGRES_TYPE[type].replace(' COLLATE "C"', '')}`);
  await database.query(
    `INSERT INTO ${tableName(number)} (_s, _f${names.map((name) => `, ${name}`).join('')})
     SELECT 0, 1700000000000${values.join('')}
     FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS t (r, place) ORDER BY place`,
    [JSON.stringify(rows)],
  );
}
