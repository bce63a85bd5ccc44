import type { Transaction } from '@millrace/persistence/database';
import { Prisma, type Load } from '@millrace/persistence/generated/client';
import { checkUuid } from '../../live/names.js';
import { latestCompleteSql } from '../../live/system-columns.js';

/** The position of a merge among the merges into its table. */
export interface MergeOrder {
  generation: bigint;
  /** The source's latest generation that saw all its rows. */
  previousComplete: bigint | null;
  /** A later run of the source is already merged, so only rows with new keys are added. */
  overtaken: boolean;
  /** Trusted SQL condition: whether a later load has seen a row `t`, so that this load must not change it; null for none. */
  protectedRows: string | null;
}

export async function findMergeOrder(tx: Transaction, load: Load): Promise<MergeOrder> {
  return {
    ...(await nextGeneration(tx, load)),
    overtaken: await isOvertaken(tx, load),
    protectedRows: await protectedRowsSql(tx, load),
  };
}

/** The number of the merge's generation, and the latest generation of its source that saw all rows of the source. */
async function nextGeneration(
  tx: Transaction,
  { datasetId, source }: Load,
): Promise<Pick<MergeOrder, 'generation' | 'previousComplete'>> {
  const [found] = await tx.$queryRaw<{ generation: bigint; previous: bigint | null }[]>`
    SELECT GREATEST((extract(epoch FROM clock_timestamp()) * 1000)::bigint,
        1 + (SELECT max(number) FROM datasets.generation WHERE dataset_id = ${datasetId}::uuid),
        1 + (SELECT max(latest) FROM datasets.source WHERE dataset_id = ${datasetId}::uuid)) AS generation,
      (SELECT complete FROM datasets.source WHERE dataset_id = ${datasetId}::uuid AND number = ${source}) AS previous`;
  if (!found) throw new Error('Postgres returned no row');
  return { generation: found.generation, previousComplete: found.previous };
}

/** Whether a later run of the same output is already in the table, so that this load's rows are older. */
async function isOvertaken(tx: Transaction, { datasetId, source, runId }: Load): Promise<boolean> {
  if (runId === null) return false;
  const later = await tx.generation.findFirst({
    where: { datasetId, source, runId: { gt: runId } },
    select: { number: true },
  });
  return later !== null;
}

/**
 * Which rows a load must not change: rows whose contents come from a later load, or that a later load has seen. Of rows
 * with the same key the last one counts in the order of the runs, whichever output they come from.
 * @returns trusted SQL condition on a row `t`; null if there are no such rows
 */
async function protectedRowsSql(tx: Transaction, load: Load): Promise<string | null> {
  const later = await laterGenerationsSql(tx, load);
  if (later === null) return null;
  const sources = await tx.source.findMany({ where: { datasetId: load.datasetId } });
  const written = 'GREATEST(t._f, t._c)';
  const since = ['t._l', latestCompleteSql(sources)].map((seen) => `CASE WHEN ${seen} > ${written} THEN ${seen} END`);
  return `t._g IS NULL AND ARRAY[${[written, ...since].join(', ')}] && ARRAY(${later})`;
}

/**
 * Generations of later runs, and of outputs of the same run that were bound later, whichever revision of the run they are
 * from. Usually there are none; an upload never has any.
 * @returns trusted SQL query of their numbers; null if there are none
 */
async function laterGenerationsSql(tx: Transaction, { id, position, datasetId, runId }: Load): Promise<string | null> {
  if (runId === null) return null;
  const place = `(${runId}, ${position ?? id})`;
  const from = `FROM datasets.generation WHERE dataset_id = '${checkUuid(datasetId)}' AND (run_id, coalesce(position, load_id)) > ${place}`;
  const later = await tx.$queryRaw<unknown[]>(Prisma.raw(`SELECT 1 ${from} LIMIT 1`));
  return later.length > 0 ? `SELECT number ${from}` : null;
}
