import type { ExportFormat } from '@millrace/contracts/datasets/exports';
import type { PostgresServer } from '@millrace/persistence/connections/postgres-options';
import type { ColumnType } from '@millrace/query/fields/column';
import type { StoredObject } from '@millrace/storage/object-store';
import type { StorageEnv } from '@millrace/storage/settings/storage-env';
import type { RowSelection } from './select-rows.js';

/** Input of a thread that writes an export. */
export interface ExportTask {
  database: PostgresServer;
  /** Settings of the storage area for exports. */
  storage: StorageEnv;
  format: ExportFormat;
  /** Id of the Live Table. */
  dataset: string;
  selection: RowSelection;
  /** The meaning of `now` in the selection. */
  now: Date;
}

export interface ExportedColumn {
  name: string;
  type: ColumnType;
}

/** After `reserve` the thread waits for `store`. */
export type MessageFromThread =
  | { kind: 'reading'; pid: number }
  | { kind: 'progress'; bytes: number }
  | { kind: 'reserve'; object: StoredObject }
  | { kind: 'done'; object: StoredObject; rows: number }
  | { kind: 'failed'; message: string; code?: string };

/** `code` of a failure because the query does not fit the table. */
export const QUERY_MISMATCH = 'QUERY_MISMATCH';

export type MessageToThread = 'store' | 'stop';
