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
  { client }: Database,
  run: bigint,
  { step, source, hash, after, limit }: StepOfFailures & { hash: string; after: number; limit: number },
): Promise<FailedSubjobRow[]> {
  return client.$queryRaw<FailedSubjobRow[]>`
    SELECT s.id::text AS id, s.step, s.task, s.message, s.attempt, s.finished_at AS "finishedAt",
      i.item, s.stderr
    FROM (
      SELECT * FROM runs.subjob s
      WHERE s.run_id = ${run} AND s.step = ${step} AND s.task > ${after} AND ${IS_FAILURE} AND ${reasonHash(REASON)} = ${hash}
      ORDER BY s.task LIMIT ${limit}) s
    LEFT JOIN LATERAL ${itemOf(run, Prisma.sql`${source?.step ?? -1}`, Prisma.sql`${source?.key ?? ''}`)} i ON s.task > 0
    ORDER BY s.task`;
}

/** Reads subjobs of several steps by their numbers, in one statement. They are in the order of their numbers for each step. */
export function readSubjobs(
  { client }: Database,
  run: bigint,
  groups: readonly (StepOfFailures & { tasks: readonly number[] })[],
): Promise<FailedSubjobRow[]> {
  const places = groups.flatMap(({ step, source, tasks }) => tasks.map((task) => ({ step, source, task })));
  return client.$queryRaw<FailedSubjobRow[]>`
    SELECT s.id::text AS id, s.step, s.task, s.message, s.attempt, s.finished_at AS "finishedAt",
      i.item, s.stderr
    FROM (SELECT DISTINCT * FROM unnest(${places.map(({ step }) => step)}::int[], ${places.map(({ task }) => task)}::int[],
      ${places.map(({ source }) => source?.step ?? -1)}::int[], ${places.map(({ source }) => source?.key ?? '')}::text[])
      AS c(step, task, source, key)) c
    JOIN runs.subjob s ON s.run_id = ${run} AND s.step = c.step AND s.task = c.task
    LEFT JOIN LATERAL ${itemOf(run, Prisma.sql`c.source`, Prisma.sql`c.key`)} i ON s.task > 0
    ORDER BY s.step, s.task`;
}

/**
 * The item of the child `s`. A subquery with a limit is one lookup for each child. A join would read all children of the step
 * for each if the statistics of the table are older than the run.
 */
const itemOf = (run: bigint, step: Prisma.Sql, key: Prisma.Sql): Prisma.Sql => Prisma.sql`(
  SELECT i.params ->> ${key} AS item FROM runs.subjob i
  WHERE i.run_id = ${run} AND i.step = ${step} AND i.task = s.task LIMIT 1)`;
