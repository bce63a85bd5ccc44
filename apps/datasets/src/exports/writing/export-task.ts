import type { ExportFormat } from '@millrace/contracts/datasets/exports';
import type { ColumnType } from '@millrace/query/fields/column';
import type { StoredObject } from '@millrace/storage/object-store';
import type { StorageEnv } from '@millrace/storage/storage-env';
import type { RowSelection } from '../creation/plan-rows.js';

/** What a thread is to write, and where to. */
export interface ExportTask {
  databaseUrl: string;
  /** Of the exports' own area. */
  storage: StorageEnv;
  format: ExportFormat;
  /** Id of the Live Table. */
  dataset: string;
  selection: RowSelection;
  /** What `now` means in these. */
  now: Date;
}

export interface ExportedColumn {
  name: string;
  type: ColumnType;
}

/** What the thread says; `announce` waits for a `go`. */
export type MessageFromThread =
  | { kind: 'reading'; pid: number }
  | { kind: 'size'; bytes: number }
  | { kind: 'announce'; object: StoredObject }
  | { kind: 'done'; object: StoredObject; rows: number }
  | { kind: 'failed'; message: string; code?: string };

/** `code` of a failure where the query does not fit the table. */
export const QUERY_MISMATCH = 'MISFIT';

export type MessageToThread = 'go' | 'stop';
