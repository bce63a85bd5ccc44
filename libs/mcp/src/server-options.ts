import type { MillraceClient } from '@millrace/client';
import type { DocsPages } from './docs/docs-pages.js';
import type { ClientInfo } from './http/session-id.js';

export interface ServerOptions {
  /** A client with the credentials of the caller. */
  client: MillraceClient;
  docs: DocsPages;
  /** Called with a failure that is a defect; no client gets its text. */
  onDefect: (error: unknown) => void;
  /** Called with the client of each request that names it, as those of protocol 2026-07-28 do. */
  onClient?: (client: ClientInfo) => void;
  /** Explains failures that only the surroundings of the server know, such as a missing sign-in; null for all others. */
  explain?: (error: unknown) => string | null;
}
