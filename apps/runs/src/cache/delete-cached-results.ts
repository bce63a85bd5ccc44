import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';

/** Rows deleted in one transaction: about 0.1 s. */
const MAX_ROWS = 5_000;
/** Well below the 10 s that the gateway waits for a response. */
const MAX_DURATION_MS = 6_000;
/** Pause before another look at rows that another transaction has locked. */
const RETRY_DELAY_MS = 50;

/** Which cached results to delete. `node` is also the name of a module, for all nodes in it. */
export type CacheSelection = { space: string } | { workflow: string; node?: string | undefined };

export interface Deletion {
  removed: number;
  /** Whether none is left. */
  complete: boolean;
}

/**
 * Deletes the cached results that are stored when it begins. Locked rows are not waited for, because the writers of results,
 * the deletion of runs and this one lock rows in different orders. They are looked at again: a writer that replaces a result
 * makes it a later one, which stays.
 * @param begin is called in the first transaction
 */
export async function deleteCachedResults(
  database: Database,
  selection: CacheSelection,
  begin: (tx: Transaction) => void,
  { maxRows = MAX_ROWS, maxDurationMs = MAX_DURATION_MS } = {},
): Promise<Deletion> {
  const endsAt = performance.now() + maxDurationMs;
  const [{ now }] = await database.client.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp()::timestamptz(3) AS now`;
  const sources = sourcesOf(selection, now);
  let removed = 0;
  for (let isFirst = true; ; isFirst = false) {
    const count = await database.transaction(async (tx) => {
      if (isFirst) begin(tx);
      let deleted = 0;
      for (const source of sources) deleted += await deleteBatch(tx, source, maxRows);
      return deleted;
    });
    removed += count;
    if (count === 0 && !(await hasRows(database, sources))) return { removed, complete: true };
    if (performance.now() > endsAt) return { removed, complete: false };
    if (count === 0) await sleep(RETRY_DELAY_MS);
  }
}

/** The selected rows as `FROM … WHERE …`; results from before their workflow was recorded are found by their run. */
function sourcesOf(selection: CacheSelection, now: Date): Prisma.Sql[] {
  const isOld = Prisma.sql`e.created_at <= ${now}`;
  if ('space' in selection) {
    return [Prisma.sql`FROM runs.cache_entry e WHERE e.space_id = ${selection.space}::uuid AND ${isOld}`];
  }
  const { workflow, node } = selection;
  const isOf = (name: Prisma.Sql) =>
    node === undefined ? Prisma.sql`true` : Prisma.sql`(${name} = ${node} OR starts_with(${name}, ${`${node}/`}))`;
  return [
    Prisma.sql`
      FROM runs.cache_entry e
      WHERE e.workflow_id = ${workflow}::uuid AND ${isOf(Prisma.sql`e.node`)} AND ${isOld}`,
    Prisma.sql`
      FROM runs.run r JOIN runs.cache_entry e ON e.run_id = r.id JOIN runs.subjob s ON s.id = e.subjob_id
      WHERE r.workflow_id = ${workflow}::uuid AND e.workflow_id IS NULL AND ${isOf(Prisma.sql`s.node`)} AND ${isOld}`,
  ];
}

const deleteBatch = (tx: Transaction, source: Prisma.Sql, maxRows: number): Promise<number> => tx.$executeRaw`
  WITH chosen AS MATERIALIZED (
    SELECT e.space_id, e.key ${source} LIMIT ${maxRows} FOR UPDATE OF e SKIP LOCKED)
  DELETE FROM runs.cache_entry e USING chosen c WHERE e.space_id = c.space_id AND e.key = c.key`;

async function hasRows({ client }: Database, sources: readonly Prisma.Sql[]): Promise<boolean> {
  for (const source of sources) {
    const [{ found }] = await client.$queryRaw<[{ found: boolean }]>`SELECT EXISTS (SELECT 1 ${source}) AS found`;
    if (found) return true;
  }
  return false;
}
