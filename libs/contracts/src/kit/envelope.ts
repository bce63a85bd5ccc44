import type { SpaceRole, VaultRole } from './permissions.js';

/** Who asks, as the gateway found out; services trust it because only the gateway can publish on their subjects. */
export interface Caller {
  user: string;
  vault: string;
  vaultRole: VaultRole;
  /** Roles by space id, or `all` for those who enter every space (vault owners). */
  spaces: 'all' | Record<string, SpaceRole>;
  /** What the caller showed: an API token (scripts, CI) or a session (a person). */
  credential?: 'token' | 'session';
  /** The session that was shown, where it was one. */
  session?: string;
}

/** What travels over the broker for one operation. */
export interface Envelope {
  caller: Caller | null;
  requestId: string;
  idempotencyKey?: string;
  /** Milliseconds since the epoch after which nobody waits for the answer. */
  deadline: number;
  /** Address and agent of the client, for sign-in limits and the audit log; `origin` is where it reached us. */
  client?: {
    address: string;
    agent?: string;
    origin: string;
    /** Of operations whose body is `raw`: a signature of the body can be in any header. Never credentials of ours. */
    headers?: Record<string, string>;
  };
  params: unknown;
  query: unknown;
  body: unknown;
}
