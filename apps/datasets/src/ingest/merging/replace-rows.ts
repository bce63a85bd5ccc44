import type { Transaction } from '@millrace/persistence/database';
import type { Load } from '@millrace/persistence/generated/client';
import { type MergePlan, runQuery, runStatement } from './merge-plan.js';
import { insertNewSql, recordChanges, type MergeResult } from './merge-rows.js';

type Kind = 'new' | 'gone' | 'same';

/** The generations by which earlier revisions of a load's run brought the same output into the table. */
export async function findFormerGenerations(tx: Transaction, { datasetId, source, runId }: Load): Promise<bigint[]> {
  if (runId === null) return [];
  const found = await tx.generation.findMany({ where: { datasetId, source, runId }, select: { number: true } });
  return found.map(({ number }) => number);
}

/**
 * For a table without a primary key: makes the rows that earlier revisions of the run brought the same as the rows of this
 * load. Rows that both have stay, in any order; the others are removed and recorded as gone, or inserted.
 * @param former generations of the earlier revisions
 * @param checkAdded throws if that many more rows are not allowed; runs before anything is written
 */
export async function replaceRows(
  tx: Transaction,
  plan: MergePlan,
  former: readonly bigint[],
  checkAdded: (added: number) => Promise<void>,
): Promise<MergeResult> {
  await runStatement(tx, `CREATE TEMP TABLE merging ON COMMIT DROP AS ${compareSql(plan, former)}`);
  await runStatement(tx, 'ANALYZE merging');
  const counts = await runQuery<{ kind: Kind; count: bigint }>(tx, 'SELECT kind, count(*) FROM merging GROUP BY kind');
  const count = (kind: Kind) => Number(counts.find((entry) => entry.kind === kind)?.count ?? 0);
  const [created, gone] = [count('new'), count('gone')];
  await checkAdded(created - gone);
  if (gone > 0) {
    await recordChanges(tx, plan);
    await runStatement(tx, `DELETE FROM ${plan.table} t USING merging m WHERE t._id = m.id AND m.kind = 'gone'`);
  }
  await runStatement(
    tx,
    `UPDATE ${plan.table} t SET _j = m._j FROM merging m
     WHERE t._id = m.id AND m.kind = 'same' AND t._j IS DISTINCT FROM m._j`,
  );
  if (created > 0) await runStatement(tx, insertNewSql(plan));
  return { created, changed: 0, unchanged: count('same'), gone, removed: gone, coversSource: plan.complete };
}

/**
 * Query of the load's rows and the former rows, each with its kind. Equal rows are matched one to one: by a digest of all
 * values, because rows with many columns cannot be hashed for a join otherwise, and by their number among equal rows.
 */
function compareSql({ table, rows, allColumns, loadedColumns }: MergePlan, former: readonly bigint[]): string {
  const digest = (values: string[]) => `sha256(convert_to(ROW(${values.join(', ')})::text, 'UTF8'))`;
  const loaded = digest(allColumns.map((column) => (loadedColumns.includes(column) ? column : 'NULL')));
  const numbered = (query: string, order: string) =>
    `SELECT *, row_number() OVER (PARTITION BY digest ORDER BY ${order}) AS copy FROM (${query}) d`;
  return `
    SELECT CASE WHEN f._id IS NULL THEN 'new' WHEN s._n IS NULL THEN 'gone' ELSE 'same' END AS kind, f._id AS id, s.*
    FROM (${numbered(`SELECT *, ${loaded} AS digest FROM (${rows}) r`, '_p, _n')}) s
    FULL JOIN (${numbered(
      `SELECT _id, ${digest(allColumns)} AS digest FROM ${table} WHERE _f IN (${former.join(', ')})`,
      '_id',
    )}) f ON f.digest = s.digest AND f.copy = s.copy`;
}
