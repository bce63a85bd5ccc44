import type { Transaction } from '@millrace/persistence/database';
import { toTextSql } from '../../live/cast-sql.js';
import { changesName } from '../../live/names.js';
import { type MergePlan, runQuery, runStatement } from './merge-plan.js';

export interface MergeCounts {
  created: number;
  changed: number;
  unchanged: number;
  gone: number;
}

export interface MergeResult extends MergeCounts {
  /** Rows that are no longer in the table. Rows that are gone stay in it. */
  removed: number;
  /** The load saw every row of its source, so this is recorded once for the source and not for each row. */
  coversSource: boolean;
}

/**
 * `unseen`: a row of the source that does not become gone, because the load is not complete. `late`: a row that keeps the
 * different values of a later run.
 */
type Kind = 'new' | 'changed' | 'seen' | 'gone' | 'unseen' | 'late';

/**
 * Merges rows by their keys: inserts new rows, updates rows that differ, and marks rows as gone if a complete load does not
 * have them. An unchanged row is written only if its source's generations do not show that it was seen.
 * @param checkCreated throws if the number of new rows is not allowed; runs before anything is written
 */
export async function mergeRows(
  tx: Transaction,
  plan: MergePlan,
  checkCreated: (created: number) => Promise<void>,
): Promise<MergeResult> {
  const rows = await deduplicateRows(tx, plan);
  const deduplicated = { ...plan, rows: rows.sql };
  let coversSource = plan.complete || (!plan.overtaken && (await canCoverSource(tx, plan, rows.count)));
  let count = await compareRows(tx, deduplicated, coversSource);
  if (count('unseen') > 0) {
    coversSource = false;
    await runStatement(tx, 'DROP TABLE merging');
    count = await compareRows(tx, deduplicated, coversSource);
  }
  const counts = { created: count('new'), changed: count('changed'), gone: count('gone') };
  await checkCreated(counts.created);
  if (counts.changed + counts.gone + count('late') > 0) await recordChanges(tx, plan);
  if (counts.changed > 0) await runStatement(tx, updateChangedSql(plan));
  if (count('seen') > 0) await runStatement(tx, updateSeenSql(plan, coversSource));
  if (counts.gone > 0) await runStatement(tx, markGoneSql(plan));
  if (counts.created > 0) await runStatement(tx, insertNewSql(plan));
  return { ...counts, removed: 0, unchanged: rows.count - counts.created - counts.changed, coversSource };
}

/** Whether a load has enough rows to have seen its whole source, as a repeated upload of the whole table does. */
async function canCoverSource(tx: Transaction, { table, source }: MergePlan, loaded: number): Promise<boolean> {
  const [found] = await runQuery<{ count: bigint }>(
    tx,
    `SELECT count(*) FROM ${table} WHERE _s = ${source} AND _g IS NULL`,
  );
  return Number(found?.count ?? 0) <= loaded;
}

/** Writes what happens to each row into the table `merging`. @returns the number of rows of a kind */
async function compareRows(tx: Transaction, plan: MergePlan, coversSource: boolean): Promise<(kind: Kind) => number> {
  await runStatement(tx, `CREATE TEMP TABLE merging ON COMMIT DROP AS ${compareSql(plan, coversSource)}`);
  await runStatement(tx, 'ANALYZE merging');
  const counts = await runQuery<{ kind: Kind; count: bigint }>(tx, 'SELECT kind, count(*) FROM merging GROUP BY kind');
  return (kind) => Number(counts.find((entry) => entry.kind === kind)?.count ?? 0);
}

/**
 * Of rows with the same key keeps the last one, by part and line. Most loads have no such rows, so a count decides whether
 * the rows are sorted at all.
 */
async function deduplicateRows(tx: Transaction, plan: MergePlan): Promise<{ sql: string; count: number }> {
  const columns = plan.keyColumns.join(', ');
  const rows = plan.isExpensive ? await materializeRows(tx, plan) : plan.rows;
  const [found] = await runQuery<{ all: bigint; keys: bigint }>(
    tx,
    `SELECT coalesce(sum(n), 0)::bigint AS all, count(*) AS keys FROM (SELECT count(*) AS n FROM (${rows}) s GROUP BY ${columns}) k`,
  );
  const count = Number(found?.keys ?? 0);
  if (found?.all === found?.keys) return { sql: rows, count };
  await runStatement(
    tx,
    `CREATE TEMP TABLE latest ON COMMIT DROP AS
     SELECT DISTINCT ON (${columns}) * FROM (${rows}) s ORDER BY ${columns}, _p DESC, _n DESC`,
  );
  await runStatement(tx, 'ANALYZE latest');
  return { sql: 'SELECT * FROM latest', count };
}

async function materializeRows(tx: Transaction, { rows }: MergePlan): Promise<string> {
  await runStatement(tx, `CREATE TEMP TABLE loaded ON COMMIT DROP AS ${rows}`);
  await runStatement(tx, 'ANALYZE loaded');
  return 'SELECT * FROM loaded';
}

/** Query of all rows that the merge writes, each with its kind. */
function compareSql(
  { table, rows, source, complete, overtaken, protectedRows, loadedColumns, keyColumns }: MergePlan,
  coversSource: boolean,
): string {
  const values = loadedColumns.filter((column) => !keyColumns.includes(column));
  const valuesOf = (alias: string) => `(${values.map((column) => `${alias}.${column}`).join(', ')})`;
  const differs = values.length === 0 ? 'false' : `${valuesOf('t')} IS DISTINCT FROM ${valuesOf('s')}`;
  const isMissing = coversSource ? `s._n IS NULL AND t._s = ${source} AND t._g IS NULL` : 'false';
  // The source's generation shows that its own rows were seen, so only rows of other sources are marked individually.
  const needsMark = coversSource ? `t._s <> ${source}` : 'true';
  const isWritable = writableSql({ overtaken, protectedRows });
  const isConcerned = `s._n IS NOT NULL AND CASE WHEN ${isWritable} THEN t._g IS NOT NULL OR ${needsMark} OR ${differs} ELSE ${differs} END`;
  return `
    SELECT CASE WHEN t._id IS NULL THEN 'new' WHEN s._n IS NULL THEN '${complete ? 'gone' : 'unseen'}'
      WHEN NOT ${isWritable} THEN 'late' WHEN t._g IS NOT NULL OR ${differs} THEN 'changed' ELSE 'seen' END AS kind,
      t._id AS id, s.*
    FROM (${rows}) s ${coversSource ? 'FULL' : 'LEFT'} JOIN ${table} t ON ${keyColumns.map((column) => `t.${column} = s.${column}`).join(' AND ')}
    WHERE t._id IS NULL OR (${isMissing}) OR (${isConcerned})`;
}

/** SQL condition: whether the load may change an existing row `t`. */
function writableSql({ overtaken, protectedRows }: Pick<MergePlan, 'overtaken' | 'protectedRows'>): string {
  if (overtaken) return 'false';
  return protectedRows === null ? 'true' : `((${protectedRows}) IS NOT TRUE)`;
}

/**
 * Records changed and gone rows before and after the merge, and the values of late rows, which the table does not get.
 * Timestamps are recorded in the form that rows show, so that they stay the same if the column's type changes later.
 */
export function recordChanges(
  tx: Transaction,
  { number, table, generation, allColumns, loadedColumns, timestampColumns }: MergePlan,
): Promise<number> {
  const json = (columns: string[]) => `(SELECT to_jsonb(x) FROM (SELECT ${columns.join(', ')}) x)`;
  const value = (alias: string, column: string) =>
    timestampColumns.has(column)
      ? `${toTextSql(`${alias}.${column}`, 'timestamp')} AS ${column}`
      : `${alias}.${column}`;
  const before = json(allColumns.map((column) => value('t', column)));
  const after = json(allColumns.map((column) => value(loadedColumns.includes(column) ? 'm' : 't', column)));
  return runStatement(
    tx,
    `INSERT INTO ${changesName(number)} (generation, row_id, kind, before, after)
     SELECT ${generation}, t._id, m.kind, CASE WHEN m.kind <> 'late' THEN ${before} END,
       CASE WHEN m.kind <> 'gone' THEN ${after} END
     FROM merging m JOIN ${table} t ON t._id = m.id WHERE m.kind IN ('changed', 'gone', 'late')`,
  );
}

function updateChangedSql({ table, source, generation, loadedColumns }: MergePlan): string {
  const values = loadedColumns.map((column) => `, ${column} = m.${column}`).join('');
  return `UPDATE ${table} t SET _s = ${source}, _c = ${generation}, _g = NULL, _j = m._j${values}
    FROM merging m WHERE t._id = m.id AND m.kind = 'changed'`;
}

function updateSeenSql({ table, source, generation, isUpload }: MergePlan, coversSource: boolean): string {
  // If the load covers its source, the generation shows that a row which becomes the source's own was seen.
  const assignments = [
    ...(isUpload ? [] : [`_s = ${source}`]),
    ...(coversSource && !isUpload ? [] : [`_l = ${generation}`]),
  ];
  return `UPDATE ${table} t SET ${assignments.join(', ')} FROM merging m WHERE t._id = m.id AND m.kind = 'seen'`;
}

function markGoneSql({ table, generation, previousComplete }: MergePlan): string {
  return `UPDATE ${table} t SET _g = ${generation}, _l = GREATEST(t._f, t._c, t._l, ${previousComplete ?? 'NULL'}::bigint)
    FROM merging m WHERE t._id = m.id AND m.kind = 'gone'`;
}

export function insertNewSql({ table, source, generation, loadedColumns }: MergePlan): string {
  const columns = loadedColumns.map((column) => `, ${column}`).join('');
  return `INSERT INTO ${table} (_s, _f, _j${columns})
    SELECT ${source}, ${generation}, _j${columns} FROM merging WHERE kind = 'new' ORDER BY _p, _n`;
}
