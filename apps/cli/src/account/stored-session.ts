import type { Session, SessionStore } from '@millrace/sdk/session-tokens';
import type { Account, CredentialsFile } from './credentials-file.js';
import { withLock } from './with-lock.js';

/** The session with one server as it stands in the credentials file, shared by all commands that run at once. */
export class StoredSession implements SessionStore {
  constructor(
    private readonly file: CredentialsFile,
    private readonly url: string,
  ) {}

  async read(): Promise<Session | null> {
    return (await this.file.read()).servers[this.url]?.session ?? null;
  }

  /** Called inside of `exclusively`, so what was read is still what is there. */
  async write(session: Session | null): Promise<void> {
    const credentials = await this.file.read();
    const { session: _, ...rest } = credentials.servers[this.url] ?? {};
    const account: Account = session === null ? rest : { ...rest, session };
    await this.file.write({ ...credentials, servers: { ...credentials.servers, [this.url]: account } });
  }

  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return withLock(`${this.file.path}.lock`, work);
  }
}
