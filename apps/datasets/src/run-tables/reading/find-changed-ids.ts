import type { ReadSession } from '../../reading/read-session.js';
import type { ComparedTable } from './compared-table.js';
import type { Scan } from './unmatched-rows.js';

/**
 * Finds rows that may have different values in the two runs, after a row and in the order of their ids: they changed
 * between the loads, or one of the loads had other values than the table. Each generation is read from the row on by its
 * index, so a page costs the same wherever it is.
 */
export async function findChangedIds(
  session: ReadSession,
  { dataset, changes, a, b }: ComparedTable,
  { after, limit }: { after: bigint; limit: number },
): Promise<Scan> {
  const generations = [...a, ...b].map(({ generation }) => generation).sort((one, other) => Number(one - other));
  const [first, last] = [generations.at(0), generations.at(-1)];
  if (first === undefined || first === last) return { ids: [], scannedTo: null };
  const next = (kind: string) =>
    `(SELECT row_id FROM ${changes} WHERE generation = g.number AND kind = '${kind}' AND row_id > ${after}
      ORDER BY row_id LIMIT ${limit})`;
  const text = `
    SELECT DISTINCT row_id, row_id::text FROM (
      SELECT c.row_id FROM (SELECT number FROM datasets.generation
        WHERE dataset_id = '${dataset}' AND number > ${first} AND number <= ${last} AND changed > 0) g
      CROSS JOIN LATERAL ${next('changed')} c
      UNION ALL
      SELECT c.row_id FROM unnest('{${generations.join(',')}}'::bigint[]) g(number) CROSS JOIN LATERAL ${next('late')} c) u
    ORDER BY 1 LIMIT ${limit}`;
  const { rows } = await session.run({ text, values: [] });
  const ids = rows.map(([, id]) => BigInt(id ?? 0));
  return { ids, scannedTo: ids.length === limit ? (ids.at(-1) ?? null) : null };
}
