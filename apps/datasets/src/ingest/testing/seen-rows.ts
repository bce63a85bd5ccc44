import type { Database } from '@millrace/persistence/database';
import { loadShape } from '../../reading/load-shape.js';
import type { IngestTable } from './ingest-table.js';

/** Rows as a query returns them, by the value of column `k`. */
export async function seenRows(
  { client }: Database,
  table: IngestTable,
): Promise<Map<string, Record<string, unknown>>> {
  const { columns = [] } = (await loadShape(client, table.table.id)) ?? {};
  const list = columns.map(({ sql }, at) => `${sql} AS v${at}`).join(', ');
  const rows = await table.query<Record<string, unknown>>(`SELECT ${list} FROM TABLE`);
  return new Map(
    rows.map((row) => {
      const named = Object.fromEntries(columns.map(({ name }, at) => [name, row[`v${at}`]]));
      return [String(named['k']), named];
    }),
  );
}
