import type { TaskService } from '@millrace/contracts/auth/admin/admin-tasks';
import type { Database } from '@millrace/persistence/database';

/** Schemas whose indexes a service rebuilds. `messaging` belongs to all services, and `contents` to the collector of runs. */
const SCHEMAS: Record<TaskService, readonly string[]> = {
  auth: ['auth', 'messaging'],
  workflows: ['workflows'],
  runs: ['runs', 'contents'],
  datasets: ['datasets', 'live'],
  billing: ['billing'],
  notifications: ['notifications'],
};

/** An index, by its quoted name with its schema. */
export interface ListedIndex {
  /** As in `runs.task_pkey`. */
  name: string;
  quoted: string;
  quotedTable: string;
  /** False if a rebuild was interrupted: Postgres ignores the index, and it only costs time. */
  isValid: boolean;
}

/** @param names only these; all if it is null */
export const listIndexes = (
  { client }: Pick<Database, 'client'>,
  service: TaskService,
  names: readonly string[] | null,
): Promise<ListedIndex[]> =>
  client.$queryRaw<ListedIndex[]>`
    SELECT n.nspname || '.' || c.relname AS name, format('%I.%I', n.nspname, c.relname) AS quoted,
      format('%I.%I', n.nspname, t.relname) AS "quotedTable", i.indisvalid AS "isValid"
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
      JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'i' AND n.nspname = ANY(${[...SCHEMAS[service]]}::text[])
      AND (${names === null}::boolean OR n.nspname || '.' || c.relname = ANY(${[...(names ?? [])]}::text[]))
    ORDER BY t.relname, c.relname`;
