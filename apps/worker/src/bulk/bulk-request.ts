import { type FileRef } from '@millrace/contracts/runs/files';
import { type StorageEnv } from '@millrace/storage/settings/storage-env';
import { type InputEntry } from '../inputs/input-list.js';

/** Data that a bulk thread gets at its start. */
export interface BulkThreadData {
  storage: StorageEnv;
  /** Folder for local copies of objects in a remote store. */
  cache: string;
}

/** Sent to the thread, one at a time; `abort` ends the current request. */
export type BulkRequest =
  | { kind: 'beginLayout'; folder: string; isReadOnly: boolean }
  | { kind: 'layOut'; entries: readonly InputEntry[] }
  | { kind: 'collect'; folder: string; commandPath: string; maxBytes: number }
  /** The next files of the last `collect`; an empty list is the end. */
  | { kind: 'nextFiles'; limit: number }
  | { kind: 'adopt'; path: string }
  | { kind: 'wipe'; folder: string; retained: readonly string[] };

export interface BulkResults {
  beginLayout: void;
  layOut: void;
  collect: { ignored: number; emptied: boolean };
  nextFiles: FileRef[];
  adopt: { sha256: string; size: number };
  wipe: string[];
}

export type BulkMessage = { request: BulkRequest } | { abort: true };

/** Sent by the thread. An error keeps its name, by which callers recognize it. */
export type BulkResponse = { value: unknown } | { error: { name: string; message: string; stack?: string } };
