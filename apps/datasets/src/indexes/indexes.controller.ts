import { Controller } from '@nestjs/common';
import { listIndexes } from '@millrace/contracts/datasets/columns';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import type { DatasetIndex } from '@millrace/persistence/generated/client';
import { findDataset, type FullDataset } from '../datasets/find-dataset.js';
import { selectKeyColumns } from '../datasets/to-dataset.js';
import { indexName, keyIndexName, NO_COLUMN, type IndexKind } from '../live/names.js';
import { FIRST_SEEN, nameFirstSeenColumn } from '../live/system-columns.js';

type Listed = Result<typeof listIndexes>['results'][number];

@Controller()
export class IndexesController {
  constructor(private readonly database: Database) {}

  @OperationHandler(listIndexes)
  async list({ params }: Input<typeof listIndexes>, context: Context): Promise<Result<typeof listIndexes>> {
    const { client } = this.database;
    const dataset = await findDataset(client, params.id, context);
    const records = await client.datasetIndex.findMany({
      where: { datasetId: dataset.id },
      orderBy: [{ column: 'asc' }, { kind: 'asc' }, { by: 'asc' }],
    });
    const names = [keyIndexName(dataset.number), ...records.map((record) => nameOf(dataset, record))];
    const found = await client.$queryRaw<{ name: string; size: bigint; scans: bigint }[]>`
      SELECT c.relname AS name, pg_relation_size(c.oid) AS size, pg_stat_get_numscans(c.oid) AS scans
      FROM pg_class c WHERE c.relnamespace = 'live'::regnamespace AND c.relname = ANY(${names}::text[])`;
    const physical = new Map(found.map((index) => [index.name, index]));
    const sizeOf = (name: string) => {
      const index = physical.get(name);
      return index ? { size_bytes: Number(index.size) } : {};
    };
    const [leading] = selectKeyColumns(dataset.columns);
    const key = leading && physical.get(keyIndexName(dataset.number));
    const results: Listed[] = records.flatMap((record) => {
      const column = columnOf(dataset, record.column);
      const by = columnOf(dataset, record.by);
      if (column === undefined || (by === undefined && record.by !== NO_COLUMN)) return [];
      return [{ ...toIndex(record), column, ...(by && { ordered_by: by }), ...sizeOf(nameOf(dataset, record)) }];
    });
    if (key) {
      const uses = Number(key.scans);
      results.unshift({ column: leading.name, kind: 'key', state: 'ready', uses, ...sizeOf(key.name) });
    }
    return { results };
  }
}

const nameOf = ({ number }: FullDataset, { column, kind, by }: DatasetIndex): string =>
  indexName(number, { column, kind: kind as IndexKind, by });

function columnOf({ columns }: FullDataset, number: number): string | undefined {
  if (number === FIRST_SEEN) return nameFirstSeenColumn(new Set(columns.map(({ name }) => name)));
  return columns.find((column) => column.number === number)?.name;
}

const toIndex = ({ kind, state, uses, lastUsedAt }: DatasetIndex): Omit<Listed, 'column'> => ({
  kind: kind as IndexKind,
  state: state as Listed['state'],
  uses: Number(uses),
  ...(lastUsedAt && { last_used_date: lastUsedAt.toISOString() }),
});
