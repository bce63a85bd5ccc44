import type { SeededDataset } from './seed-dataset.js';

interface Queries {
  query<R extends object>(sql: string, values?: unknown[]): Promise<R[]>;
}

/** The generation of the rows that `insertRows` inserts, in milliseconds since the epoch. */
export const SEEDED_AT = Date.UTC(2026, 0, 1);

/**
 * Inserts rows as a merge does.
 * @param columns number of the table's columns that `select` provides, starting with the first
 * @param select SQL of the rows, after the keyword SELECT
 */
export async function insertRows(
  database: Queries,
  { id, number }: Pick<SeededDataset, 'id' | 'number'>,
  columns: number,
  select: string,
): Promise<void> {
  const names = Array.from({ length: columns }, (_, at) => `c${at + 1}`).join(', ');
  await database.query(`INSERT INTO live.d_${number} (_s, _f, ${names}) SELECT 0, ${SEEDED_AT}, ${select}`);
  await database.query(
    `UPDATE datasets.dataset SET revision = revision + 1, rows = (SELECT count(*) FROM live.d_${number}) WHERE id = $1`,
    [id],
  );
}

/** Reads the number of a Live Table's current physical table. */
export async function readTableNumber(database: Queries, { id }: Pick<SeededDataset, 'id'>): Promise<number> {
  const [row] = await database.query<{ number: number }>('SELECT number FROM datasets.dataset WHERE id = $1', [id]);
  return row?.number ?? 0;
}
