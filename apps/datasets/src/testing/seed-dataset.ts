import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { newId } from '@millrace/persistence/ids';
import { changesName, tableName } from '../live/names.js';
import { createKeyIndex, createTables } from '../live/table-ddl.js';

interface Queries {
  query<R extends object>(sql: string, values?: unknown[]): Promise<R[]>;
}

export interface SeededDataset {
  id: string;
  /** Number of its physical tables (live/names). */
  number: number;
  solution: string;
  space: string;
}

/** Inserts a Live Table without rows, in a solution of its own, directly into the database. */
export async function seedDataset(
  database: Queries,
  owner: Caller,
  options: { columns: [name: string, type: ColumnType][]; key?: string[]; space?: string; name?: string },
): Promise<SeededDataset> {
  const [id, solution, space] = [newId(), newId(), options.space ?? newId()];
  await database.query(
    `INSERT INTO datasets.solution (id, vault_id, space_id, name, author, modified_at) VALUES ($1, $2, $3, 'Seeded', $4, now())`,
    [solution, owner.vault, space, owner.user],
  );
  const [row] = await database.query<{ number: number }>(
    `INSERT INTO datasets.dataset (id, vault_id, space_id, solution_id, name, author, next_column, modified_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now()) RETURNING number`,
    [id, owner.vault, space, solution, options.name ?? 'seeded', owner.user, options.columns.length + 1],
  );
  const number = Number(row?.number);
  const key = (options.key ?? []).map((name) => 1 + options.columns.findIndex(([column]) => column === name));
  for (const [at, [name, type]] of options.columns.entries()) {
    const position = key.indexOf(at + 1);
    await database.query(
      `INSERT INTO datasets.dataset_column (dataset_id, number, name, type, key_position) VALUES ($1, $2, $3, $4, $5)`,
      [id, at + 1, name, type, position === -1 ? null : position + 1],
    );
  }
  const physical = options.columns.map(([, type], at) => ({ number: at + 1, type }));
  const statements = [...createTables(number, physical), ...(key.length > 0 ? [createKeyIndex(number, key)] : [])];
  for (const { text } of statements) await database.query(text);
  // As if the service had created them, which may then change them.
  for (const table of [tableName(number), changesName(number)])
    await database.query(`ALTER TABLE ${table} OWNER TO millrace_datasets`);
  return { id, number, solution, space };
}

/** The generation of the rows that `insertRows` inserts, in milliseconds since the epoch. */
const SEEDED_AT = Date.UTC(2026, 0, 1);

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
