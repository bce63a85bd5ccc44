import type { SpaceRole, VaultRole } from './permissions.js';

/** How a caller administers the installation: by their session, or by an admin token with its scope. */
export interface InstanceAccess {
  via: 'session' | 'token';
  scope: 'read' | 'write';
}

/** The authenticated caller. Services trust it because only the gateway may publish on their subjects. */
export interface Caller {
  user: string;
  vault: string;
  vaultRole: VaultRole;
  /** Roles by space id, or `all` for vault owners, who may enter every space. */
  spaces: 'all' | Record<string, SpaceRole>;
  /** The credential of the request: an API token (scripts, CI) or a session (a person). */
  credential?: 'token' | 'session';
  /** Id of the session, if the credential is one. */
  session?: string;
  /**
   * Present if the credential administers the installation: a session of an administrator, or an admin token. The user's own
   * API token never does.
   */
  instance?: InstanceAccess | undefined;
}

/** The message that carries one operation over the broker. */
export interface Envelope {
  caller: Caller | null;
  requestId: string;
  /** The span of the caller, as in W3C Trace Context; absent without tracing. */
  traceparent?: string;
  idempotencyKey?: string;
  /** Milliseconds since the epoch. After it no client waits for the response. */
  deadline: number;
  /**
   * Address and user agent of the client, for sign-in limits and the audit log. `origin` is the public origin that the
   * client used.
   */
  client?: {
    address: string;
    agent?: string;
    origin: string;
    /**
     * Present if the operation's transfer is `raw`, because any header may contain a signature of the body. Never
     * contains Millrace credentials.
     */
    headers?: Record<string, string>;
  };
  params: unknown;
  query: unknown;
  body: unknown;
}
