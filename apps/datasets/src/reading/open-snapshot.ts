import type pg from 'pg';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import { UNDEFINED_TABLE, sqlStateOf } from '../datasets/sql-states.js';
import { tableName, checkUuid } from '../live/names.js';
import { SHAPE_SQL, toShape, type LiveShape, type ShapeRow } from './live-shape.js';

interface CurrentTable {
  id: string;
  number: number;
  revision: number;
}

/** A table of a snapshot, beside the shape that was expected. */
interface OpenedTable {
  shape: LiveShape;
  /** Whether the shape is as of the snapshot. */
  isCurrent: boolean;
  /** Whether it has the same physical table. */
  isSame: boolean;
}

/**
 * Begins a transaction whose snapshot has the tables and their metadata of the same moment. A change of columns locks the
 * table until it has changed both, so the lock comes before the snapshot (Postgres docs, LOCK). Takes one round trip.
 * @returns the tables in the order of their shapes. If one is not the same, there may be no snapshot
 * @throws NotFoundError if a table does not exist
 */
export async function beginSnapshot(client: pg.ClientBase, expected: readonly LiveShape[]): Promise<OpenedTable[]> {
  const results = await client
    .query(
      `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
       LOCK TABLE ${expected.map(({ number }) => tableName(number)).join(', ')} IN ACCESS SHARE MODE;
       SELECT id, number, revision FROM datasets.dataset WHERE id IN (${expected.map(({ id }) => `'${checkUuid(id)}'`).join(', ')})`,
    )
    .catch(nullIfDropped);
  if (results === null) return expected.map((shape) => ({ shape, isCurrent: false, isSame: false }));
  const tables = new Map(
    (results as unknown as pg.QueryResult<CurrentTable>[]).at(-1)?.rows.map((row) => [row.id, row]),
  );
  return expected.map((shape) => {
    const current = tables.get(shape.id);
    if (!current) throw new NotFoundError(`Live Table ${shape.id}`);
    const isSame = current.number === shape.number;
    return { shape, isCurrent: isSame && current.revision === shape.revision, isSame };
  });
}

/**
 * Like `beginSnapshot`.
 * @returns the shapes as of the snapshot; null, without a snapshot, if a physical table was replaced by another one
 */
export async function openSnapshot(client: pg.ClientBase, expected: readonly LiveShape[]): Promise<LiveShape[] | null> {
  const tables = await beginSnapshot(client, expected);
  if (!tables.every(({ isSame }) => isSame)) return null;
  const shapes: LiveShape[] = [];
  for (const { shape, isCurrent } of tables) shapes.push(isCurrent ? shape : await readShape(client, shape.id));
  return shapes;
}

/** The shape of a table as of the client's snapshot, if it has one, or else now. @throws NotFoundError if it does not exist */
export async function readShape(client: pg.ClientBase, id: string): Promise<LiveShape> {
  const { rows } = await client.query<ShapeRow>(SHAPE_SQL, [id]);
  const [row] = rows;
  if (!row) throw new NotFoundError(`Live Table ${id}`);
  return toShape(id, row);
}

function nullIfDropped(error: unknown): null {
  if (sqlStateOf(error) === UNDEFINED_TABLE) return null;
  throw error;
}
