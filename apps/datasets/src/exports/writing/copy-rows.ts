import pg from 'pg';
import { to } from 'pg-copy-streams';
import type { SqlText } from '@millrace/query/fields/column';
import type { LiveShape } from '../../reading/live-shape.js';
import { openSnapshot, readShape } from '../../reading/open-snapshot.js';
import { bindSettings, settingName } from './bind-settings.js';
import type { ExportedColumn } from './export-task.js';
import { joinPieces } from './gather.js';

const HOUR_MS = 3_600_000;
/** Beyond that an export gives up. */
export const STATEMENT_TIMEOUT_MS = HOUR_MS;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Settings of the connection. Postgres looks each second whether this process is still there, so that a killed one leaves
 * no statement behind. A table that is being altered is waited for.
 */
const SETTINGS = {
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
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
const OPTIONS = Object.entries(SETTINGS)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

export interface CopyRequest {
  url: string;
  /** Id of the Live Table. */
  dataset: string;
  /** What is selected of the table as it is at the moment of which the rows are. */
  plan: (shape: LiveShape) => PlannedCopy;
  signal: AbortSignal;
  /** Told the process at Postgres, before it begins. */
  onBegin: (pid: number) => void;
}

export interface PlannedCopy {
  statement: SqlText;
  /** Options of COPY, with their parentheses. */
  options: string;
  columns: ExportedColumn[];
}

/**
 * Reads rows of a Live Table by COPY, on a connection of its own. They are those of one moment, whatever changes meanwhile.
 * @param use what is made of them
 * @returns that, and how many rows there were
 * @throws what Postgres says; NotFoundError where the table is gone; what `plan` throws; the reason of `signal`
 */
export async function copyRows<T>(
  copy: CopyRequest,
  use: (rows: AsyncIterable<Buffer>, columns: ExportedColumn[]) => Promise<T>,
): Promise<{ result: T; rows: number }> {
  const client = new pg.Client({
    connectionString: copy.url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'millrace-datasets-export',
    options: OPTIONS,
  });
  // The statement under way fails with it; without a listener the thread would end.
  client.on('error', () => undefined);
  const stop = () => void client.end().catch(() => undefined);
  copy.signal.addEventListener('abort', stop);
  try {
    copy.signal.throwIfAborted();
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    copy.onBegin(rows[0]!.pid);
    const { statement, options, columns } = copy.plan(await openTable(client, copy.dataset));
    await bindValues(client, statement.values);
    const stream = client.query(to(`COPY (${bindSettings(statement)}) TO STDOUT ${options}`));
    const result = await use(joinPieces(stream), columns);
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

/** Begins the transaction. Where the table was cleared on the way, it is another one. */
async function openTable(client: pg.Client, dataset: string): Promise<LiveShape> {
  for (;;) {
    const [shape] = (await openSnapshot(client, [await readShape(client, dataset)])) ?? [];
    if (shape) return shape;
    await client.query('ROLLBACK');
  }
}

/** COPY takes no parameters, but the statement reads settings of the transaction. */
async function bindValues(client: pg.Client, values: readonly string[]): Promise<void> {
  const settings = values.map((value, at): [string, string] => [settingName(at + 1), value]);
  await client.query(
    'SELECT count(set_config(name, value, true)) FROM unnest($1::text[], $2::text[]) AS s (name, value)',
    [settings.map(([name]) => name), settings.map(([, value]) => value)],
  );
}
