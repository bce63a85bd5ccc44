import type { OUTPUT_CHANGES } from '@millrace/contracts/runs/compare';
import type { Database } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { scopesOf, type ChildKeys, type ComparedRun } from './match-children.js';
import type { NodePair } from './match-nodes.js';
import { readBulk } from './read-bulk.js';

export type OutputChange = (typeof OUTPUT_CHANGES)[number];

/** Two runs, the nodes to compare, and the keys of their children. */
export interface Comparison {
  a: ComparedRun;
  b: ComparedRun;
  pairs: readonly NodePair[];
  keys: ChildKeys;
}

interface OutputSide {
  id: string;
  subjob: string;
  task: number;
  size: string;
  sha256: string;
}

export interface OutputRow {
  position: number;
  node: string;
  task: number;
  /** 1 if only `b` has the output. */
  side: number;
  path: string;
  change: OutputChange;
  a: OutputSide | null;
  b: OutputSide | null;
}

/** The place of an output in the list. */
export type OutputPlace = Pick<OutputRow, 'position' | 'task' | 'side' | 'path'>;

/** Counts the outputs of each node by change. */
export function countOutputs(
  database: Database,
  comparison: Comparison,
): Promise<{ position: number; change: OutputChange; count: number }[]> {
  return readBulk(database, (tx) =>
    tx.$queryRaw(Prisma.sql`
    WITH ${compareSql(comparison)}
    SELECT position, change, count(*)::int AS count FROM compared GROUP BY position, change`),
  );
}

/** Lists outputs by node, child and path. What only `b` has follows what `a` has, for each child. */
export function listOutputs(
  database: Database,
  comparison: Comparison,
  { after, limit, changes }: { after: OutputPlace | null; limit: number; changes: readonly OutputChange[] },
): Promise<OutputRow[]> {
  const place = after ?? { position: -1, task: 0, side: 0, path: '' };
  const side = (alias: 'a' | 'b') =>
    Prisma.raw(`
    CASE WHEN ${alias}_id IS NOT NULL THEN jsonb_build_object('id', ${alias}_id, 'subjob', ${alias}_subjob::text,
      'task', ${alias}_task, 'size', ${alias}_size::text, 'sha256', ${alias}_sha256) END AS ${alias}`);
  return readBulk(database, (tx) =>
    tx.$queryRaw(Prisma.sql`
    WITH ${compareSql(comparison)}
    SELECT position, node, task, side, path, change, ${side('a')}, ${side('b')} FROM compared
    WHERE change = ANY(${[...changes]}::text[])
      AND (position, task, side, path COLLATE "C") > (${place.position}::int, ${place.task}::int, ${place.side}::int, ${place.path}::text)
    ORDER BY position, task, side, path COLLATE "C" LIMIT ${limit}`),
  );
}

/** Common table expressions; the last one, `compared`, has a row for each output of either run, and its counterpart. */
function compareSql({ a, b, pairs, keys }: Comparison): Prisma.Sql {
  const groups = [...keys.keys()];
  const groupOf = (pair: NodePair) => {
    const scopes = scopesOf(pair);
    return scopes === null ? -1 : groups.indexOf(scopes);
  };
  const steps = (side: 'a' | 'b') => pairs.map((pair) => pair[side]?.index ?? -1);
  return Prisma.sql`
    pairs AS (
      SELECT * FROM unnest(${pairs.map(({ position }) => position)}::int[], ${pairs.map(({ node }) => node)}::text[],
        ${steps('a')}::int[], ${steps('b')}::int[], ${pairs.map(groupOf)}::int[]) AS p(position, node, a, b, scopes)),
    keys_a AS (${keysSql(keys, 'a')}),
    keys_b AS (${keysSql(keys, 'b')}),
    outputs_a AS MATERIALIZED (${outputsSql(a, steps('a'), 'a')}),
    outputs_b AS MATERIALIZED (${outputsSql(b, steps('b'), 'b')}),
    compared AS (
      SELECT coalesce(a.position, b.position) AS position, coalesce(a.node, b.node) AS node,
        coalesce(a.task, b.task) AS task, (a.id IS NULL)::int AS side, coalesce(a.path, b.path) AS path,
        CASE WHEN a.id IS NULL THEN 'only_in_b' WHEN b.id IS NULL THEN 'only_in_a'
          WHEN a.sha256 = b.sha256 THEN 'same' ELSE 'changed' END AS change,
        a.id AS a_id, a.subjob_id AS a_subjob, a.task AS a_task, a.size AS a_size, a.sha256 AS a_sha256,
        b.id AS b_id, b.subjob_id AS b_subjob, b.task AS b_task, b.size AS b_size, b.sha256 AS b_sha256
      FROM outputs_a a FULL JOIN outputs_b b ON a.position = b.position AND a.key = b.key AND a.path = b.path)`;
}

/** The current outputs of a run's nodes with the key of their child. Users see the masked content, so it is compared. */
function outputsSql({ id }: ComparedRun, steps: readonly number[], side: 'a' | 'b'): Prisma.Sql {
  const [step, keysOfSide] = [Prisma.raw(`p.${side}`), Prisma.raw(`keys_${side}`)];
  return Prisma.sql`
    SELECT p.position, p.node, o.id, o.subjob_id, o.task, o.path, coalesce(o.shown_sha256, o.sha256) AS sha256,
      coalesce(o.shown_size, o.size) AS size, coalesce(k.key, '#' || o.task) AS key
    FROM runs.output o JOIN pairs p ON ${step} = o.step
    LEFT JOIN ${keysOfSide} k ON k.scopes = p.scopes AND k.task = o.task
    WHERE o.run_id = ${id} AND o.step = ANY(${[...steps]}::int[]) AND NOT o.replaced`;
}

/**
 * The keys of children, from 1, by pair of scopes. They contain no line break, and one text of a million lines is sent
 * several times as fast as a list.
 */
function keysSql(keys: ChildKeys, side: 'a' | 'b'): Prisma.Sql {
  const lists = [...keys.values()].flatMap((found, scopes) => (found ? [{ scopes, list: found[side] }] : []));
  const queries = lists.map(
    ({ scopes, list }) => Prisma.sql`
      SELECT ${scopes}::int AS scopes, k.task::int AS task, k.key
      FROM string_to_table(${list.join('\n')}::text, E'\\n') WITH ORDINALITY AS k(key, task) WHERE ${list.length} > 0`,
  );
  const none = Prisma.sql`SELECT NULL::int AS scopes, NULL::int AS task, NULL::text AS key WHERE false`;
  return queries.length > 0 ? Prisma.join(queries, ' UNION ALL ') : none;
}
