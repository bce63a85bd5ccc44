import type pg from 'pg';
import { openQueryPool } from '@millrace/testkit/query-pool';

const pools = new Map<string, pg.Pool>();

/** Executes one statement. It may be the first after a restart of the system's Postgres. */
export async function queryDatabase<T extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  const pool = pools.get(url) ?? openQueryPool(url);
  pools.set(url, pool);
  return (await pool.query<T>(text, values)).rows;
}
