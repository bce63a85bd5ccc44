import type { ReadSession } from '../../reading/read-session.js';
import { commonColumns, type ComparedTable } from './compared-table.js';
import { changedRowsSql } from './keyed-pairs.js';
import { existingRowsSql, rowIdsSql } from './row-ids-sql.js';
import { digestSql } from './unkeyed-rows.js';

export interface RowCounts {
  counts: { same: number; new: number; changed: number; gone: number };
  a: { rows: number; deleted: number };
  b: { rows: number; deleted: number };
}

/** Counts the rows of two runs by change. */
export async function countRows(session: ReadSession, table: ComparedTable): Promise<RowCounts> {
  const pieces = await countPieces(session, table);
  const a = sum(pieces.both, pieces.gone);
  const b = sum(pieces.both, pieces.new);
  const toSide = ({ loaded, existing }: Piece) => ({ rows: loaded, deleted: loaded - existing });
  const counts = table.key.length > 0 ? await countKeyed(session, table, pieces) : await countUnkeyed(session, table);
  return { counts, a: toSide(a), b: toSide(b) };
}

/** Rows of a set of ids: when they were loaded, and now. */
interface Piece {
  loaded: number;
  existing: number;
}
type Pieces = Record<'both' | 'new' | 'gone', Piece>;

const sum = (one: Piece, other: Piece): Piece => ({
  loaded: one.loaded + other.loaded,
  existing: one.existing + other.existing,
});

async function countPieces(session: ReadSession, table: ComparedTable): Promise<Pieces> {
  const text = `
    WITH runs AS MATERIALIZED (SELECT ${rowIdsSql(table, table.a)} AS a, ${rowIdsSql(table, table.b)} AS b),
    piece AS MATERIALIZED (
      SELECT a * b AS ids, 1 AS at FROM runs UNION ALL SELECT b - a, 2 FROM runs UNION ALL SELECT a - b, 3 FROM runs)
    SELECT (SELECT coalesce(sum(upper(r) - lower(r)), 0) FROM unnest(ids) r)::text,
      (SELECT count(*) FROM ${existingRowsSql(table, 'ids')})::text
    FROM piece ORDER BY at`;
  const { rows } = await session.run({ text, values: [] });
  const toPiece = (at: number): Piece => ({ loaded: Number(rows[at]?.[0]), existing: Number(rows[at]?.[1]) });
  return { both: toPiece(0), new: toPiece(1), gone: toPiece(2) };
}

/**
 * The planner does not know how many rows changed, and a nested loop over 50,000 takes longer than a request may.
 */
const WITHOUT_NESTED_LOOPS = { text: "SELECT set_config('enable_nestloop', 'off', true)", values: [] };

/** A row keeps its id as long as its key exists, so the ids show which rows both runs loaded. */
async function countKeyed(session: ReadSession, table: ComparedTable, pieces: Pieces): Promise<RowCounts['counts']> {
  await session.run(WITHOUT_NESTED_LOOPS);
  const query = changedRowsSql(table);
  const { rows } = query
    ? await session.run({ text: `SELECT count(*)::text FROM (${query}) c`, values: [] })
    : { rows: [['0']] };
  const changed = Number(rows[0]?.[0]);
  return {
    same: pieces.both.existing - changed,
    new: pieces.new.existing,
    changed,
    gone: pieces.gone.existing,
  };
}

/** Rows with the same values are the same, as many as both runs have of them. */
async function countUnkeyed(session: ReadSession, table: ComparedTable): Promise<RowCounts['counts']> {
  const digest = digestSql(commonColumns(table, table.a, table.b));
  const copies = (ids: string) =>
    `SELECT ${digest} AS digest, count(*) AS copies FROM ${existingRowsSql(table, ids)} GROUP BY 1`;
  const text = `
    SELECT coalesce(sum(least(a.copies, b.copies)) FILTER (WHERE a.copies > 0 AND b.copies > 0), 0)::text,
      coalesce(sum(greatest(coalesce(b.copies, 0) - coalesce(a.copies, 0), 0)), 0)::text,
      coalesce(sum(greatest(coalesce(a.copies, 0) - coalesce(b.copies, 0), 0)), 0)::text
    FROM (${copies(rowIdsSql(table, table.a))}) a FULL JOIN (${copies(rowIdsSql(table, table.b))}) b USING (digest)`;
  const { rows } = await session.run({ text, values: [] });
  const [same, added, gone] = (rows[0] ?? []).map(Number);
  return { same: same ?? 0, new: added ?? 0, changed: 0, gone: gone ?? 0 };
}
