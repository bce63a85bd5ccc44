import type { Database } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { IS_FAILURE, REASON, reasonHash } from './find-failure-groups.js';
import type { ItemSource } from './item-source.js';

export interface FailedSubjobRow {
  id: string;
  step: number;
  task: number;
  message: string | null;
  attempt: number;
  finishedAt: Date | null;
  item: string | null;
  stderr: { sha256: string; size: number } | null;
}

/** A step's children, and where their items are recorded. */
interface StepOfFailures {
  step: number;
  source: ItemSource | null;
}

/** Reads a page of the failed subjobs of one step that have the same reason, in the order of their numbers. */
export function findFailedSubjobs(
  database: Database,
  run: bigint,
  group: StepOfFailures & { hash: string; after: number; limit: number },
): Promise<FailedSubjobRow[]> {
  return select(
    database,
    run,
    group,
    Prisma.sql`
    s.task > ${group.after} AND ${IS_FAILURE} AND ${reasonHash(REASON)} = ${group.hash}
    ORDER BY s.task LIMIT ${group.limit}`,
  );
}

/** Reads some subjobs of one step by their numbers. */
export const readSubjobs = (
  database: Database,
  run: bigint,
  step: StepOfFailures,
  tasks: readonly number[],
): Promise<FailedSubjobRow[]> =>
  select(database, run, step, Prisma.sql`s.task = ANY(${[...tasks]}::int[]) ORDER BY s.task`);

function select(
  database: Database,
  run: bigint,
  { step, source }: StepOfFailures,
  condition: Prisma.Sql,
): Promise<FailedSubjobRow[]> {
  return database.client.$queryRaw<FailedSubjobRow[]>`
    SELECT s.id::text AS id, s.step, s.task, s.message, s.attempt, s.finished_at AS "finishedAt",
      i.params ->> ${source?.key ?? ''} AS item, s.stderr
    FROM runs.subjob s
    LEFT JOIN runs.subjob i ON i.run_id = s.run_id AND i.step = ${source?.step ?? -1} AND i.task = s.task AND s.task > 0
    WHERE s.run_id = ${run} AND s.step = ${step} AND ${condition}`;
}
