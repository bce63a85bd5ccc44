import type { z } from 'zod';
import type { taskFinding, TaskService } from '@millrace/contracts/auth/admin/admin-tasks';
import type { Database } from '@millrace/persistence/database';
import type { CheckTools, InvariantCheck } from './invariant-check.js';
import { type ListedIndex, listIndexes } from './list-indexes.js';

export type Finding = z.output<typeof taskFinding>;

/** One check, one index, or the statistics of one table. It never fails: an error is its finding. */
export interface TaskStep {
  run(): Promise<Finding | null>;
}

/** Violations are counted up to this number, so that a check of a broken table ends. */
const MAX_COUNTED = 1_000;
const MAX_EXAMPLES = 10;

export const planChecks = (checks: readonly InvariantCheck[], tools: Omit<CheckTools, 'limit'>): TaskStep[] =>
  checks.map((check) =>
    step(check.name, async () => {
      const ids = await check.findViolations({ ...tools, limit: MAX_COUNTED });
      if (ids.length === 0) return { name: check.name, status: 'ok' };
      return { name: check.name, status: 'violated', count: ids.length, examples: ids.slice(0, MAX_EXAMPLES) };
    }),
  );

/** Rebuilds the indexes of a service, then updates the statistics of their tables. */
export async function planReindex(
  database: Database,
  service: TaskService,
  names: readonly string[] | null,
): Promise<TaskStep[]> {
  const indexes = await listIndexes(database, service, names);
  const tables = [...new Set(indexes.map(({ quotedTable }) => quotedTable))];
  return [
    ...indexes.map((index) => step(index.name, () => rebuild(database, index))),
    ...tables.map((table) => step(table, () => analyze(database, table))),
  ];
}

async function rebuild({ client }: Database, { name, quoted, isValid }: ListedIndex): Promise<Finding> {
  // Of these names, Postgres creates the first while it rebuilds, and leaves the second behind.
  if (!isValid && /_cc(new|old)\d*$/.test(name)) {
    const error = `An interrupted rebuild has left this index behind. Drop it: DROP INDEX CONCURRENTLY ${quoted}`;
    return { name, status: 'failed', error };
  }
  await client.$executeRawUnsafe(`REINDEX INDEX CONCURRENTLY ${quoted}`);
  return { name, status: 'ok' };
}

async function analyze({ client }: Database, table: string): Promise<null> {
  await client.$executeRawUnsafe(`ANALYZE ${table}`);
  return null;
}

const step = (name: string, work: () => Promise<Finding | null>): TaskStep => ({
  run: () => work().catch((error: unknown): Finding => ({ name, status: 'failed', error: describe(error) })),
});

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 500);
