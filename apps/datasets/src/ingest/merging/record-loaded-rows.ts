import type { Transaction } from '@millrace/persistence/database';
import type { Load } from '@millrace/persistence/generated/client';
import { checkUuid } from '../../live/names.js';
import { type MergePlan, runQuery, runStatement } from './merge-plan.js';
import type { MergeResult } from './merge-rows.js';
import { findFormerGenerations } from './replace-rows.js';

/** Adjacent ids are one range of 16 bytes, so a record has at most 8 MB. */
const MAX_RANGES = 500_000;
/** Space for the records of one table. The oldest ones are deleted, and the loads themselves stay. */
const MAX_RECORDED_BYTES = 64 * 1024 * 1024;

/** The highest id of a table without a key before its merge. The rows that the merge adds have higher ones. */
export async function findLastId(tx: Transaction, { table, keyColumns }: MergePlan): Promise<bigint | null> {
  if (keyColumns.length > 0) return null;
  const [found] = await runQuery<{ id: bigint }>(tx, `SELECT coalesce(max(_id), 0) AS id FROM ${table}`);
  return found?.id ?? null;
}

/**
 * Records which rows and columns a run has loaded, so that it can be compared with other runs after later loads. A merge
 * writes no unchanged rows, so the rows themselves do not show it.
 * @param lastId what `findLastId` has returned
 */
export async function recordLoadedRows(
  tx: Transaction,
  load: Load,
  plan: MergePlan,
  { coversSource, lastId }: Pick<MergeResult, 'coversSource'> & { lastId: bigint | null },
): Promise<void> {
  if (load.runId === null) return;
  const id = checkUuid(load.datasetId);
  const loadedIds = lastId === null ? keyedIdsSql(plan, coversSource) : await unkeyedIdsSql(tx, load, plan, lastId);
  const islands = `
    SELECT int8range(min(id), max(id) + 1) AS ids
    FROM (SELECT id, id - row_number() OVER (ORDER BY id) AS island FROM (${loadedIds}) l) n
    GROUP BY island`;
  const columns = plan.loadedColumns.map((column) => column.slice(1)).join(', ');
  await runStatement(
    tx,
    `WITH islands AS MATERIALIZED (${islands})
     UPDATE datasets.generation SET columns = ARRAY[${columns}]::int[],
       row_ids = CASE WHEN (SELECT count(*) FROM islands) <= ${MAX_RANGES}
         THEN (SELECT coalesce(range_agg(ids), '{}') FROM islands) END
     WHERE dataset_id = '${id}' AND number = ${plan.generation}`,
  );
  await runStatement(
    tx,
    `UPDATE datasets.generation SET row_ids = NULL WHERE dataset_id = '${id}' AND number = ANY(ARRAY(
       SELECT number FROM (
         SELECT number, sum(pg_column_size(row_ids)) OVER (ORDER BY number DESC) AS bytes FROM datasets.generation
         WHERE dataset_id = '${id}' AND row_ids IS NOT NULL) g
       WHERE bytes > ${MAX_RECORDED_BYTES}))`,
  );
}

/** Query of the distinct ids of the rows that the load has, after its merge. */
function keyedIdsSql({ table, rows, source, keyColumns, protectedRows }: MergePlan, coversSource: boolean): string {
  // All rows of the load belong to the source now, and all rows of the source are in the load.
  if (coversSource && protectedRows === null)
    return `SELECT _id AS id FROM ${table} WHERE _s = ${source} AND _g IS NULL`;
  const isSameKey = keyColumns.map((column) => `t.${column} = s.${column}`).join(' AND ');
  return `SELECT DISTINCT t._id AS id FROM ${table} t JOIN (${rows}) s ON ${isSameKey}`;
}

/** A load of a retried run also has the rows that earlier revisions brought and that stayed. */
async function unkeyedIdsSql(tx: Transaction, load: Load, { table }: MergePlan, lastId: bigint): Promise<string> {
  const generations = await findFormerGenerations(tx, load);
  const isOwn = generations.length > 1 ? `_f IN (${generations.join(', ')})` : `_id > ${lastId}`;
  return `SELECT _id AS id FROM ${table} WHERE ${isOwn}`;
}
