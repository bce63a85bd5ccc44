import { type FileRef } from '@millrace/contracts/runs/files';
import { type StorageEnv } from '@millrace/storage/settings/storage-env';
import { type InputEntry } from '../inputs/input-list.js';

/** What a bulk thread is given at its start. */
export interface BulkThreadData {
  storage: StorageEnv;
  /** Folder for nearby copies of a store that is elsewhere. */
  cache: string;
}

/** To the thread, one at a time; `abort` ends the one under way. */
export type BulkRequest =
  | { kind: 'beginLayout'; folder: string; isReadOnly: boolean }
  | { kind: 'layOut'; entries: readonly InputEntry[] }
  | { kind: 'collect'; folder: string; commandPath: string; maxBytes: number }
  /** The next files of the last `collect`; an empty list is the end. */
  | { kind: 'nextFiles'; limit: number }
  | { kind: 'adopt'; path: string }
  | { kind: 'wipe'; folder: string; keep: readonly string[] };

export interface BulkResults {
  beginLayout: void;
  layOut: void;
  collect: { ignored: number; emptied: boolean };
  nextFiles: FileRef[];
  adopt: { sha256: string; size: number };
  wipe: string[];
}

export type BulkMessage = { order: BulkRequest } | { abort: true };

/** From the thread. An error keeps its name, by which callers know what it means. */
export type BulkResponse = { value: unknown } | { error: { name: string; message: string; stack?: string } };
