import type { Transaction } from '@millrace/persistence/database';
import { Prisma, type Load } from '@millrace/persistence/generated/client';
import { stagingName } from '../../live/names.js';
import { findInexactColumns } from '../types/find-inexact-columns.js';
import type { StagedShape } from '../types/known-columns.js';

/** A batch that was read. */
export interface StagedBatch {
  batch: bigint;
  round: number;
  shape: StagedShape;
  /** Staged and rejected rows of all parts. */
  rows: bigint;
  rejected: bigint;
  /** The subjob of the only part; null if there are several parts. */
  subjob: bigint | null;
  /** False for an upload. */
  hasSubjobs: boolean;
}

const withColumns = { columns: { orderBy: { number: 'asc' } } } as const;

/** The table of a load with its columns. */
export type MergeTable = Prisma.DatasetGetPayload<{ include: typeof withColumns }>;

export interface MergeState {
  load: Load;
  table: MergeTable;
  batches: StagedBatch[];
  /** Names of columns with integers that a double cannot represent exactly. */
  inexactColumns: ReadonlySet<string>;
}

export async function readMergeState(tx: Transaction, load: Load): Promise<MergeState> {
  const table = await tx.dataset.findUniqueOrThrow({ where: { id: load.datasetId }, include: withColumns });
  const batches = await tx.$queryRaw<StagedBatch[]>`
    SELECT batch, max(round) AS round, (array_agg(shape) FILTER (WHERE id = batch))[1] AS shape,
      sum(rows_read)::bigint AS rows, sum(rejected)::bigint AS rejected,
      CASE WHEN count(*) = 1 THEN min(subjob_id) END AS subjob, count(subjob_id) > 0 AS "hasSubjobs"
    FROM datasets.load_part WHERE load_id = ${load.id} GROUP BY batch ORDER BY batch`;
  const shapes = batches.map(({ shape }) => shape);
  return { load, table, batches, inexactColumns: await findInexactColumns(tx, table, shapes) };
}

/** Whether all staged rows still exist. Staging tables are unlogged, so a crash of Postgres empties them. */
export async function isStaged(tx: Transaction, { batch, shape }: StagedBatch): Promise<boolean> {
  const name = stagingName(batch);
  const [found] = await tx.$queryRaw<{ exists: boolean }[]>`SELECT to_regclass(${name}) IS NOT NULL AS exists`;
  if (found?.exists !== true) return false;
  const [counted] = await tx.$queryRaw<{ count: bigint }[]>(Prisma.raw(`SELECT count(*) FROM ${name}`));
  return counted?.count === BigInt(shape.staged);
}
