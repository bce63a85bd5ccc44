import type { ExportFormat } from '@millrace/contracts/datasets/exports';
import type { ColumnType, SqlText } from '@millrace/query/column';
import type { StoredObject } from '@millrace/storage/object-store';
import type { StorageEnv } from '@millrace/storage/storage-env';

/** What a thread is to write, and where to. */
export interface ExportTask {
  databaseUrl: string;
  /** Of the exports' own area. */
  storage: StorageEnv;
  format: ExportFormat;
  /** Selects the rows; made for the format. */
  statement: SqlText;
  columns: ExportedColumn[];
}

export interface ExportedColumn {
  name: string;
  type: ColumnType;
}

/** What the thread says; `announce` waits for a `go`. */
export type FromThread =
  | { kind: 'reading'; pid: number }
  | { kind: 'size'; bytes: number }
  | { kind: 'announce'; object: StoredObject }
  | { kind: 'done'; object: StoredObject; rows: number }
  | { kind: 'failed'; message: string; code?: string };

export type ToThread = 'go' | 'stop';
