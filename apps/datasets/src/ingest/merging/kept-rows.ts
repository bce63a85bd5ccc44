import type { Transaction } from '@millrace/persistence/database';
import type { Load } from '@millrace/persistence/generated/client';
import { latestCompleteSql } from '../../live/system-columns.js';
import { laterGenerations } from '../loads/load-order.js';

/**
 * Which rows of a table a load has to leave as they are: those whose contents are of a later run, or were seen by one
 * since, for of rows with one key the last counts by the order of the runs, whatever output they are of.
 * @returns trusted SQL about a row `t`; null where there are none
 */
export async function keptRows(
  tx: Transaction,
  load: Pick<Load, 'id' | 'datasetId' | 'runId'>,
): Promise<string | null> {
  const later = await laterGenerations(tx, load);
  if (later === null) return null;
  const sources = await tx.source.findMany({ where: { datasetId: load.datasetId } });
  const written = 'GREATEST(t._f, t._c)';
  const since = ['t._l', latestCompleteSql(sources)].map((seen) => `CASE WHEN ${seen} > ${written} THEN ${seen} END`);
  return `t._g IS NULL AND ARRAY[${[written, ...since].join(', ')}] && ARRAY(${later})`;
}
