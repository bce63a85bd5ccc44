import type { ListQuery } from '@millrace/contracts/kit/list';
import type { Database } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { escapeLike } from '@millrace/persistence/list';

/** Children shown as examples of a group. */
const MAX_EXAMPLES = 3;

/** Failed subjobs of one node with the same reason. */
export interface FailureGroupRow {
  step: number;
  node: string;
  label: string;
  /** Hash of the reason. */
  hash: string;
  reason: string;
  count: number;
  /** The first of their numbers; 0 for a node that runs once. */
  tasks: number[];
  /** The task group, or the node that runs once. */
  subjob: string;
  children: number;
  firstAt: string | null;
  lastAt: string | null;
}

export interface FailureGroups {
  /** Number of groups, and of failed subjobs in them. */
  count: number;
  failed: number;
  page: FailureGroupRow[];
}

const ORDER_COLUMNS: Record<string, Prisma.Sql> = {
  count: Prisma.sql`count`,
  first_at: Prisma.sql`first_at`,
  last_at: Prisma.sql`last_at`,
  node: Prisma.sql`node`,
};

/**
 * A subjob that failed, and not because its children did: a task group counts only if its split failed, so that it has no
 * children.
 */
export const IS_FAILURE = Prisma.sql`s.status = 'FAILED' AND (s.task > 0 OR coalesce(s.task_count, 0) = 0)`;

/** Failures from before reasons were recorded have their message without its numbers. */
export const REASON = Prisma.sql`coalesce(s.reason, CASE WHEN s.message IS NULL THEN 'no reason is known' ELSE
  coalesce(substring(s.message FROM '^exit code [0-9]+'), '')
    || regexp_replace(regexp_replace(s.message, '^exit code [0-9]+', ''), '[0-9]+', '<number>', 'g') END)`;

/** First 16 digits of the hash of a reason, which identify a group together with the step. */
export const reasonHash = (reason: Prisma.Sql): Prisma.Sql => Prisma.sql`left(md5(${reason}), 16)`;

interface GroupQuery extends Pick<ListQuery, 'page' | 'page_size' | 'search' | 'ordering'> {
  node?: string | undefined;
}

/** Groups the failures of a run in one pass over its subjobs: 0.2 s for 100,000 failed children. */
export async function findFailureGroups(database: Database, run: bigint, query: GroupQuery): Promise<FailureGroups> {
  const { node, search, page, page_size: size } = query;
  const orders = query.ordering.map(({ field, descending }) => {
    const direction = descending ? Prisma.sql`DESC NULLS LAST` : Prisma.sql`ASC NULLS LAST`;
    return Prisma.sql`${ORDER_COLUMNS[field] ?? Prisma.sql`count`} ${direction}`;
  });
  const [found] = await database.client.$queryRaw<[{ count: number; failed: number; page: FailureGroupRow[] | null }]>`
    WITH g AS MATERIALIZED (
      SELECT step, min(node) AS node, reason, count(*)::int AS count, (array_agg(task ORDER BY task))[1:${MAX_EXAMPLES}::int] AS tasks,
        min(finished_at) AS first_at, max(finished_at) AS last_at
      FROM (
        SELECT s.step, s.node, s.task, s.finished_at, ${REASON} AS reason FROM runs.subjob s
        WHERE s.run_id = ${run} AND ${IS_FAILURE} AND ${isOfNode(node)}) f
      WHERE ${search === ''} OR reason ILIKE ${`%${escapeLike(search)}%`}
      GROUP BY step, reason),
    p AS (
      SELECT * FROM g ORDER BY ${Prisma.join([...orders, Prisma.sql`step`, Prisma.sql`reason`])}
      LIMIT ${size} OFFSET ${(page - 1) * size})
    SELECT (SELECT count(*)::int FROM g) AS count, (SELECT coalesce(sum(count), 0)::int FROM g) AS failed,
      (SELECT jsonb_agg(jsonb_build_object('step', p.step, 'node', p.node, 'label', n.label,
          'hash', ${reasonHash(Prisma.sql`p.reason`)}, 'reason', p.reason, 'count', p.count, 'tasks', p.tasks,
          'subjob', n.id::text, 'children', greatest(1, coalesce(n.task_count, 1)),
          'firstAt', p.first_at, 'lastAt', p.last_at) ORDER BY ${Prisma.join([
            ...orders.map((order) => Prisma.sql`p.${order}`),
            Prisma.sql`p.step`,
            Prisma.sql`p.reason`,
          ])})
        FROM p CROSS JOIN LATERAL (
          SELECT id, label, task_count FROM runs.subjob WHERE run_id = ${run} AND step = p.step AND task = 0 LIMIT 1) n) AS page`;
  return { count: found.count, failed: found.failed, page: found.page ?? [] };
}

/** The name of a module node selects all nodes inside it. */
const isOfNode = (node: string | undefined): Prisma.Sql =>
  node === undefined ? Prisma.sql`true` : Prisma.sql`(s.node = ${node} OR s.node LIKE ${`${escapeLike(node)}/%`})`;
