import { Pool } from 'pg';

/**
 * Opens connections for the statements of tests. A new connection takes Postgres about 50 ms of processor time, and tests
 * that wait for a condition read it many times.
 */
export function openQueryPool(url: string): Pool {
  const pool = new Pool({ connectionString: url, max: 4, allowExitOnIdle: true });
  // A test may end connections or the server. The pool replaces lost connections; without a listener their errors would end
  // the process.
  pool.on('error', () => undefined);
  return pool;
}
