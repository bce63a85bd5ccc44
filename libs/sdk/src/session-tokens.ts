import { refreshSession } from '@millrace/contracts/auth/sessions';
import { MillraceClient, type ClientOptions } from './client.js';
import { MillraceError } from './millrace-error.js';
import { createMutex } from './mutex.js';
import type { TokenSource } from './token-source.js';

/** The tokens of a session, as signing in gives them. `expiresAt`: when `access` ends, RFC 3339. */
export interface Session {
  access: string;
  refresh: string;
  expiresAt: string;
}

/**
 * Where a session is kept between calls. `exclusively` runs its work while no other holder of the same session does the
 * like (other processes too, where they share it): a refresh token that is used twice ends the whole session.
 */
export interface SessionStore {
  read(): Promise<Session | null>;
  write(session: Session | null): Promise<void>;
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

/** Renewed so long before its end that a request under way still finds it good. */
const EARLY_MS = 30_000;

/** A session that renews itself. */
export class SessionTokens implements TokenSource {
  private readonly client: MillraceClient;
  private renewing: Promise<string | null> | undefined;

  constructor(
    private readonly store: SessionStore,
    options: Pick<ClientOptions, 'baseUrl' | 'fetch' | 'checkResponses'>,
  ) {
    this.client = new MillraceClient(options);
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
    // Somebody else was faster.
    if (session.access !== refused && !endsSoon(session)) return session.access;
    try {
      const fresh = await this.client.call(refreshSession, { body: { refresh: session.refresh } });
      await this.store.write({ access: fresh.access, refresh: fresh.refresh, expiresAt: fresh.expiresAt });
      return fresh.access;
    } catch (error) {
      if (!(error instanceof MillraceError) || error.isForeign) throw error;
      if (error.status >= 500 || error.status === 429) throw error;
      return this.afterRefusal(session);
    }
  }

  /** A holder that does not share the lock may have renewed the session meanwhile; that one stays, and is used. */
  private async afterRefusal(used: Session): Promise<string | null> {
    const stored = await this.store.read();
    if (stored !== null && stored.refresh !== used.refresh) return stored.access;
    await this.store.write(null);
    return null;
  }
}

const endsSoon = (session: Session): boolean => Date.parse(session.expiresAt) - EARLY_MS < Date.now();

/** A session kept in this process alone. */
export function sessionInMemory(session: Session | null): SessionStore {
  let held = session;
  return {
    read: () => Promise.resolve(held),
    write: (next) => {
      held = next;
      return Promise.resolve();
    },
    exclusively: createMutex(),
  };
}
