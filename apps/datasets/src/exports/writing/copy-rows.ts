import pg from 'pg';
import { to } from 'pg-copy-streams';
import type { SqlText } from '@millrace/query/column';
import { bindSettings, settingName } from './bind-settings.js';
import { gather } from './gather.js';

const HOUR_MS = 3_600_000;
/** Beyond that an export gives up. */
export const LONGEST_MS = HOUR_MS;
const CONNECT_MS = 10_000;

/**
 * Settings of the transaction. Postgres looks each second whether this process is still there, so that a killed one leaves
 * no statement behind. The rows are those of one moment, whatever changes meanwhile; a table that is being altered is
 * waited for.
 */
const SETTINGS = {
  statement_timeout: String(LONGEST_MS),
  lock_timeout: '60000',
  client_connection_check_interval: '1000',
  timezone: 'UTC',
  datestyle: 'ISO',
  extra_float_digits: '1',
  work_mem: '64MB',
  jit: 'off',
  // What makes texts of values takes as long as reading them, so two helpers do it and hand on their rows in order. The
  // process that writes them has enough to do; where there are no helpers to be had it does all.
  max_parallel_workers_per_gather: '2',
  parallel_leader_participation: 'off',
  parallel_tuple_cost: '0.001',
};

export interface Copy {
  url: string;
  statement: SqlText;
  /** Options of COPY, with their parentheses. */
  options: string;
  signal: AbortSignal;
  /** Told the process at Postgres, before it begins. */
  begun: (pid: number) => void;
}

/**
 * Reads the rows of a statement by COPY, on a connection of its own.
 * @param use what is made of them
 * @returns that, and how many rows there were
 * @throws what Postgres says; the reason of `signal`
 */
export async function copyRows<T>(
  copy: Copy,
  use: (rows: AsyncIterable<Buffer>) => Promise<T>,
): Promise<{ result: T; rows: number }> {
  const client = new pg.Client({
    connectionString: copy.url,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'millrace-datasets-export',
  });
  // The statement under way fails with it; without a listener the thread would end.
  client.on('error', () => undefined);
  const stop = () => void client.end().catch(() => undefined);
  copy.signal.addEventListener('abort', stop);
  try {
    copy.signal.throwIfAborted();
    await client.connect();
    await begin(client, copy);
    const stream = client.query(to(`COPY (${bindSettings(copy.statement)}) TO STDOUT ${copy.options}`));
    const result = await use(gather(stream));
    await client.query('COMMIT');
    return { result, rows: stream.rowCount };
  } catch (error) {
    copy.signal.throwIfAborted();
    throw error;
  } finally {
    copy.signal.removeEventListener('abort', stop);
    await client.end().catch(() => undefined);
  }
}

async function begin(client: pg.Client, { statement, begun }: Copy): Promise<void> {
  await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  const values = statement.values.map((value, at): [string, string] => [settingName(at + 1), value]);
  const settings = [...Object.entries(SETTINGS), ...values];
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pg_backend_pid() AS pid, count(set_config(name, value, true))
     FROM unnest($1::text[], $2::text[]) AS s (name, value)`,
    [settings.map(([name]) => name), settings.map(([, value]) => value)],
  );
  begun(rows[0]!.pid);
}
