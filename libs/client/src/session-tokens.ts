import { CoreClient, type ClientOptions } from './core.js';
import { sessions } from './generated/operations.js';
import { MillraceError } from './millrace-error.js';
import { createMutex } from './mutex.js';
import type { TokenSource } from './token-source.js';

/** The tokens of a session, as a sign-in returns them. `expiresAt` is the end of `access`, in RFC 3339. */
export interface SessionCredentials {
  access: string;
  refresh: string;
  expiresAt: string;
}

/**
 * Stores a session between calls. `exclusively` runs its work while no other user of the same session does, including other
 * processes that share the session. This is necessary because a refresh token that is used twice ends the whole session.
 */
export interface SessionStore {
  read(): Promise<SessionCredentials | null>;
  write(session: SessionCredentials | null): Promise<void>;
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

/** A session is renewed this long before its end, so that requests that are in progress are still accepted. */
const RENEWAL_MARGIN_MS = 30_000;

/** The tokens of a session, which it renews automatically. */
export class SessionTokens implements TokenSource {
  private readonly client: CoreClient;
  private renewing: Promise<string | null> | undefined;

  constructor(
    private readonly store: SessionStore,
    options: Pick<ClientOptions, 'baseUrl' | 'fetch' | 'validate'>,
  ) {
    this.client = new CoreClient(options);
  }

  async current(): Promise<string | null> {
    const session = await this.store.read();
    if (session === null) return null;
    return endsSoon(session) ? this.renew(session.access) : session.access;
  }

  renew(refused: string): Promise<string | null> {
    this.renewing ??= this.store
      .exclusively(() => this.renewAlone(refused))
      .finally(() => {
        this.renewing = undefined;
      });
    return this.renewing;
  }

  private async renewAlone(refused: string): Promise<string | null> {
    const session = await this.store.read();
    if (session === null) return null;
    // Another user of the session has already renewed it.
    if (session.access !== refused && !endsSoon(session)) return session.access;
    try {
      const fresh = await this.client.call(sessions.refresh, { body: { refresh: session.refresh } });
      await this.store.write({ access: fresh.access, refresh: fresh.refresh, expiresAt: fresh.expiresAt });
      return fresh.access;
    } catch (error) {
      if (!(error instanceof MillraceError) || error.isForeign) throw error;
      if (error.status >= 500 || error.status === 429) throw error;
      return this.afterRefusal(session);
    }
  }

  /** A client that does not share the lock may have renewed the session in the meantime. That session is then used. */
  private async afterRefusal(refused: SessionCredentials): Promise<string | null> {
    const stored = await this.store.read();
    if (stored !== null && stored.refresh !== refused.refresh) return stored.access;
    await this.store.write(null);
    return null;
  }
}

const endsSoon = (session: SessionCredentials): boolean =>
  Date.parse(session.expiresAt) - RENEWAL_MARGIN_MS < Date.now();

/** A session that is stored in the memory of this process only. */
export function sessionInMemory(session: SessionCredentials | null): SessionStore {
  let stored = session;
  return {
    read: () => Promise.resolve(stored),
    write: (next) => {
      stored = next;
      return Promise.resolve();
    },
    exclusively: createMutex(),
  };
}
