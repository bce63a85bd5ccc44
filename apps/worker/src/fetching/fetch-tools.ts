import { type AllowList } from '@millrace/egress/addresses/allow-list';
import { type EgressClient } from '@millrace/egress/requests/egress-client';
import { type ObjectStore } from '@millrace/storage/object-store';

/** What a fetch works with, and what bounds it. */
export interface FetchTools {
  store: ObjectStore;
  outside: EgressClient;
  allowed: AllowList;
  /** Folder for what is under way, on the disk of the store where possible. */
  scratch: string;
  /** Most bytes of a file, or of a repository. */
  maxBytes: number;
  /** For one try at one URL. */
  timeoutMs: number;
  /** Ends the fetch early: the run was stopped, or this worker ends. */
  signal: AbortSignal;
}
