import type pg from 'pg';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import { UNDEFINED_TABLE, sqlStateOf } from '../datasets/sql-states.js';
import { tableName, checkUuid } from '../live/names.js';
import { SHAPE_SQL, toShape, type LiveShape, type ShapeRow } from './live-shape.js';

interface Facts {
  id: string;
  number: number;
  revision: number;
}

/**
 * Begins a transaction in which the tables and what is recorded of them are of one moment: who changes columns holds the
 * table until both are changed, so it is locked before the snapshot is taken (Postgres docs, LOCK). One round trip.
 * @returns the shapes as of the snapshot; null where another physical table has taken the place of one, and there is none
 * @throws NotFoundError where a table is gone
 */
export async function openSnapshot(client: pg.ClientBase, known: readonly LiveShape[]): Promise<LiveShape[] | null> {
  const results = await client
    .query(
      `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
       LOCK TABLE ${known.map(({ number }) => tableName(number)).join(', ')} IN ACCESS SHARE MODE;
       SELECT id, number, revision FROM datasets.dataset WHERE id IN (${known.map(({ id }) => `'${checkUuid(id)}'`).join(', ')})`,
    )
    .catch(nullIfDropped);
  if (results === null) return null;
  const facts = new Map((results as unknown as pg.QueryResult<Facts>[]).at(-1)?.rows.map((row) => [row.id, row]));
  const shapes: LiveShape[] = [];
  for (const shape of known) {
    const now = facts.get(shape.id);
    if (!now) throw new NotFoundError('Live Table');
    if (now.number !== shape.number) return null;
    shapes.push(now.revision === shape.revision ? shape : await readShape(client, shape.id));
  }
  return shapes;
}

/** What is recorded of a table as of now, or as of the snapshot. @throws NotFoundError where it is gone */
export async function readShape(client: pg.ClientBase, id: string): Promise<LiveShape> {
  const { rows } = await client.query<ShapeRow>(SHAPE_SQL, [id]);
  const [row] = rows;
  if (!row) throw new NotFoundError('Live Table');
  return toShape(id, row);
}

function nullIfDropped(error: unknown): null {
  if (sqlStateOf(error) === UNDEFINED_TABLE) return null;
  throw error;
}
