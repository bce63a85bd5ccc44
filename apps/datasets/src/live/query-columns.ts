import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import type { Database } from '@millrace/persistence/database';
import type { ShapedDataset } from '../datasets/find-dataset.js';
import { columnName } from './names.js';
import { systemColumns, type QueryColumn } from './system-columns.js';

/** All columns of a Live Table as a query sees them, as of now: the user's in the order in which they came, then ours. */
export async function queryColumns(
  client: Pick<Database['client'], 'generation'>,
  dataset: Pick<ShapedDataset, 'id' | 'columns' | 'sources'>,
): Promise<QueryColumn[]> {
  const complete = dataset.sources.flatMap((source) => (source.complete === null ? [] : [source.complete]));
  const generations =
    complete.length === 0
      ? []
      : await client.generation.findMany({
          where: { datasetId: dataset.id, number: { in: complete } },
          select: { number: true, runId: true },
        });
  const runs = new Map(generations.map(({ number, runId }) => [number, runId]));
  const own = dataset.columns.map(({ number, name, type }) => ({
    name,
    type: type as ColumnType,
    sql: columnName(number),
    system: false,
  }));
  const system = systemColumns({
    datasetId: dataset.id,
    keyed: dataset.columns.some(({ keyPosition }) => keyPosition !== null),
    sources: dataset.sources.map((source) => ({
      ...source,
      completeRun: source.complete === null ? null : (runs.get(source.complete) ?? null),
    })),
    taken: new Set(own.map(({ name }) => name)),
  });
  return [...own, ...system];
}
