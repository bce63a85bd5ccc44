import pg from 'pg';
import { to } from 'pg-copy-streams';
import { postgresOptions, type PostgresServer } from '@millrace/persistence/connections/postgres-options';
import type { SqlText } from '@millrace/query/fields/column';
import type { LiveShape } from '../../reading/live-shape.js';
import { openSnapshot, readShape } from '../../reading/open-snapshot.js';
import { bindSettings, settingName } from './bind-settings.js';
import type { ExportedColumn } from './export-task.js';

/** An export that takes longer fails. */
export const STATEMENT_TIMEOUT_MS = 3_600_000;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Settings of the connection. Postgres checks every second whether this process is still connected, so that a killed
 * process leaves no statement behind. The statement waits for a table that is being altered.
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
  // Formatting values takes as long as reading them, so two workers do both and return their rows in order. The backend
  // that writes the rows is busy with that; if no workers are available, it does everything.
  max_parallel_workers_per_gather: '2',
  parallel_leader_participation: 'off',
  parallel_tuple_cost: '0.001',
};
const OPTIONS = Object.entries(SETTINGS)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

export interface CopyRequest {
  database: PostgresServer;
  /** Id of the Live Table. */
  dataset: string;
  /** Plans the statement for the table's shape at the moment of the export. */
  plan: (shape: LiveShape) => PlannedCopy;
  signal: AbortSignal;
  /** Receives the process id of the Postgres backend before the statement starts. */
  onBegin: (pid: number) => void;
}

export interface PlannedCopy {
  statement: SqlText;
  /** Options of COPY, with their parentheses. */
  options: string;
  columns: ExportedColumn[];
}

/**
 * Reads rows of a Live Table with COPY on a connection of its own. All rows belong to one snapshot.
 * @param use consumes the rows
 * @returns the result of `use`, and the number of rows
 * @throws the error of Postgres; NotFoundError if the table was deleted; the error of `plan`; the reason of `signal`
 */
export async function copyRows<T>(
  request: CopyRequest,
  use: (rows: AsyncIterable<Buffer>, columns: ExportedColumn[]) => Promise<T>,
): Promise<{ result: T; rows: number }> {
  const client = new pg.Client({
    ...postgresOptions(request.database),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'millrace-datasets-export',
    options: OPTIONS,
  });
  // The running statement fails with the same error. Without a listener the thread would end.
  client.on('error', () => undefined);
  const stop = () => void client.end().catch(() => undefined);
  request.signal.addEventListener('abort', stop);
  try {
    request.signal.throwIfAborted();
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    request.onBegin(rows[0]!.pid);
    const { statement, options, columns } = request.plan(await openTable(client, request.dataset));
    await bindValues(client, statement.values);
    const stream = client.query(to(`COPY (${bindSettings(statement)}) TO STDOUT ${options}`));
    const result = await use(joinPieces(stream), columns);
    await client.query('COMMIT');
    return { result, rows: stream.rowCount };
  } catch (error) {
    request.signal.throwIfAborted();
    throw error;
  } finally {
    request.signal.removeEventListener('abort', stop);
    await client.end().catch(() => undefined);
  }
}

/** Begins the transaction. Tries again if the table was cleared in between, because it is a different table then. */
async function openTable(client: pg.Client, dataset: string): Promise<LiveShape> {
  for (;;) {
    const [shape] = (await openSnapshot(client, [await readShape(client, dataset)])) ?? [];
    if (shape) return shape;
    await client.query('ROLLBACK');
  }
}

/** Stores the values as transaction settings, which the statement reads because COPY accepts no parameters. */
async function bindValues(client: pg.Client, values: readonly string[]): Promise<void> {
  const settings = values.map((value, at): [string, string] => [settingName(at + 1), value]);
  await client.query(
    'SELECT count(set_config(name, value, true)) FROM unnest($1::text[], $2::text[]) AS s (name, value)',
    [settings.map(([name]) => name), settings.map(([, value]) => value)],
  );
}

/** Postgres sends 8 KiB at a time, and a step of a stream costs as much as hashing that. */
const MIN_PIECE_BYTES = 256 * 1024;

/** Joins pieces until they are large enough. */
async function* joinPieces(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    bytes += piece.length;
    if (bytes < MIN_PIECE_BYTES) continue;
    yield Buffer.concat(waiting, bytes);
    waiting = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(waiting, bytes);
}
