import { type AllowList } from '@millrace/egress/addresses/allow-list';
import { type EgressClient } from '@millrace/egress/requests/egress-client';
import { type ObjectStore } from '@millrace/storage/object-store';

/** Tools and limits of a fetch. */
export interface FetchTools {
  store: ObjectStore;
  outside: EgressClient;
  allowed: AllowList;
  /** Folder for downloads in progress, on the disk of the store if possible. */
  scratch: string;
  /** Maximum size of a file or a repository. */
  maxBytes: number;
  /** For one attempt at one URL. */
  timeoutMs: number;
  /** Ends the fetch early: the run was stopped, or this worker shuts down. */
  signal: AbortSignal;
}
