import type { Transaction } from '@millrace/persistence/database';

/** The number of the generation that a merge is, and the latest that saw all rows of its source before. */
export async function nextGeneration(
  tx: Transaction,
  dataset: string,
  source: number,
): Promise<{ generation: bigint; previousComplete: bigint | null }> {
  const [found] = await tx.$queryRaw<{ generation: bigint; former: bigint | null }[]>`
    SELECT GREATEST((extract(epoch FROM clock_timestamp()) * 1000)::bigint,
        1 + (SELECT max(number) FROM datasets.generation WHERE dataset_id = ${dataset}::uuid),
        1 + (SELECT max(latest) FROM datasets.source WHERE dataset_id = ${dataset}::uuid)) AS generation,
      (SELECT complete FROM datasets.source WHERE dataset_id = ${dataset}::uuid AND number = ${source}) AS former`;
  if (!found) throw new Error('Postgres gave no row');
  return { generation: found.generation, previousComplete: found.former };
}
