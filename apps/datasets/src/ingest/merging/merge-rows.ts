import type { Transaction } from '@millrace/persistence/database';
import { changesName } from '../../live/names.js';
import { toTextSql } from '../../live/to-text-sql.js';
import type { MergePlan } from './merge-plan.js';
import { runQuery, runStatement } from './run-statement.js';

export interface MergeCounts {
  created: number;
  changed: number;
  unchanged: number;
  gone: number;
}

export interface MergeResult extends MergeCounts {
  /** No row of the source is there that was not seen, so that what was seen need not be said of each row. */
  coversSource: boolean;
}

/** `unseen` are rows of the source that are not gone for it, since the load is not complete. */
type Kind = 'new' | 'changed' | 'seen' | 'gone' | 'unseen';

/**
 * Merges rows by their keys: what is new is added, what differs is changed, what a complete load did not bring is gone.
 * What is as it was is not written, unless that it was seen does not follow from its source's generations.
 * @param admit throws where so many rows are not allowed; is asked before anything is written
 */
export async function mergeRows(
  tx: Transaction,
  plan: MergePlan,
  admit: (created: number) => Promise<void>,
): Promise<MergeResult> {
  const rows = await deduplicateRows(tx, plan);
  const compared = { ...plan, rows: rows.sql };
  let covers = plan.complete || (!plan.overtaken && (await canCoverSource(tx, plan, rows.count)));
  let count = await compareRows(tx, compared, covers);
  if (count('unseen') > 0) {
    covers = false;
    await runStatement(tx, 'DROP TABLE merging');
    count = await compareRows(tx, compared, covers);
  }
  const counts = { created: count('new'), changed: count('changed'), gone: count('gone') };
  await admit(counts.created);
  if (counts.changed + counts.gone > 0) await recordChanges(tx, plan);
  if (counts.changed > 0) await runStatement(tx, updateChangedSql(plan));
  if (count('seen') > 0) await runStatement(tx, updateSeenSql(plan, covers));
  if (counts.gone > 0) await runStatement(tx, markGoneSql(plan));
  if (counts.created > 0) await runStatement(tx, insertNewSql(plan));
  return { ...counts, unchanged: rows.count - counts.created - counts.changed, coversSource: covers };
}

/** Whether a load brings enough rows to have seen all of its source, as an upload of the whole table again does. */
async function canCoverSource(tx: Transaction, { table, source }: MergePlan, brought: number): Promise<boolean> {
  const [found] = await runQuery<{ count: bigint }>(
    tx,
    `SELECT count(*) FROM ${table} WHERE _s = ${source} AND _g IS NULL`,
  );
  return Number(found?.count ?? 0) <= brought;
}

/** Finds out what becomes of each row, into the table `merging`. @returns how many rows are of a kind */
async function compareRows(tx: Transaction, plan: MergePlan, covers: boolean): Promise<(kind: Kind) => number> {
  await runStatement(tx, `CREATE TEMP TABLE merging ON COMMIT DROP AS ${compareSql(plan, covers)}`);
  await runStatement(tx, 'ANALYZE merging');
  const counted = await runQuery<{ kind: Kind; count: bigint }>(tx, 'SELECT kind, count(*) FROM merging GROUP BY kind');
  return (kind) => Number(counted.find((one) => one.kind === kind)?.count ?? 0);
}

/** Of rows with one key the last counts, by part and line. Mostly there are none, which is found out before sorting. */
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
  await runStatement(tx, `CREATE TEMP TABLE brought ON COMMIT DROP AS ${rows}`);
  await runStatement(tx, 'ANALYZE brought');
  return 'SELECT * FROM brought';
}

/** What becomes of each row that something becomes of. */
function compareSql(
  { table, rows, source, complete, overtaken, protectedRows, loadedColumns, keyColumns }: MergePlan,
  covers: boolean,
): string {
  const values = loadedColumns.filter((column) => !keyColumns.includes(column));
  const of = (alias: string) => `(${values.map((column) => `${alias}.${column}`).join(', ')})`;
  const differs = values.length === 0 ? 'false' : `${of('t')} IS DISTINCT FROM ${of('s')}`;
  const isMissed = covers ? `s._n IS NULL AND t._s = ${source} AND t._g IS NULL` : 'false';
  // That rows of the source were seen follows from its generation, so only those of others need a word of their own.
  const mustSay = covers ? `t._s <> ${source}` : 'true';
  const isOurs = `s._n IS NOT NULL${protectedRows === null ? '' : ` AND (${protectedRows}) IS NOT TRUE`}`;
  return `
    SELECT CASE WHEN t._id IS NULL THEN 'new' WHEN s._n IS NULL THEN '${complete ? 'gone' : 'unseen'}'
      WHEN t._g IS NOT NULL OR ${differs} THEN 'changed' ELSE 'seen' END AS kind,
      t._id AS id, s.*
    FROM (${rows}) s ${covers ? 'FULL' : 'LEFT'} JOIN ${table} t ON ${keyColumns.map((column) => `t.${column} = s.${column}`).join(' AND ')}
    WHERE t._id IS NULL OR ${overtaken ? 'false' : `(${isMissed}) OR (${isOurs} AND (t._g IS NOT NULL OR ${mustSay} OR ${differs}))`}`;
}

/** Keeps what the rows were, and have become; moments as rows show them, whatever becomes of the column's type. */
function recordChanges(
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
     SELECT ${generation}, t._id, m.kind, ${before}, CASE WHEN m.kind = 'changed' THEN ${after} END
     FROM merging m JOIN ${table} t ON t._id = m.id WHERE m.kind IN ('changed', 'gone')`,
  );
}

function updateChangedSql({ table, source, generation, loadedColumns }: MergePlan): string {
  const values = loadedColumns.map((column) => `, ${column} = m.${column}`).join('');
  return `UPDATE ${table} t SET _s = ${source}, _c = ${generation}, _g = NULL, _j = m._j${values}
    FROM merging m WHERE t._id = m.id AND m.kind = 'changed'`;
}

function updateSeenSql({ table, source, generation, isUpload }: MergePlan, covers: boolean): string {
  // A row that is made the source's own is seen by its generation, where that covers them all.
  const words = [...(isUpload ? [] : [`_s = ${source}`]), ...(covers && !isUpload ? [] : [`_l = ${generation}`])];
  return `UPDATE ${table} t SET ${words.join(', ')} FROM merging m WHERE t._id = m.id AND m.kind = 'seen'`;
}

function markGoneSql({ table, generation, previousComplete }: MergePlan): string {
  return `UPDATE ${table} t SET _g = ${generation}, _l = GREATEST(t._f, t._c, t._l, ${previousComplete ?? 'NULL'}::bigint)
    FROM merging m WHERE t._id = m.id AND m.kind = 'gone'`;
}

function insertNewSql({ table, source, generation, loadedColumns }: MergePlan): string {
  const columns = loadedColumns.map((column) => `, ${column}`).join('');
  return `INSERT INTO ${table} (_s, _f, _j${columns})
    SELECT ${source}, ${generation}, _j${columns} FROM merging WHERE kind = 'new' ORDER BY _p, _n`;
}
