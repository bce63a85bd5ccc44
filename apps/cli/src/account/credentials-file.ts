import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { SessionCredentials, SessionStore } from '@millrace/client';
import { CliError } from '../cli-error.js';
import { withLock } from './with-lock.js';

const account = z.object({
  email: z.string().optional(),
  token: z.string().optional(),
  session: z.object({ access: z.string(), refresh: z.string(), expiresAt: z.string() }).optional(),
});
export type Account = z.infer<typeof account>;

const content = z.object({
  /** The server last signed in to. */
  current: z.string().optional(),
  servers: z.record(z.string(), account),
});
export type Credentials = z.infer<typeof content>;

/** The file with the accounts of the user on all servers. Only its owner can read it, and it is replaced as a whole. */
export class CredentialsFile {
  constructor(readonly path: string) {}

  async read(): Promise<Credentials> {
    let text: string;
    try {
      text = await readFile(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { servers: {} };
      // The error of a failed read does not contain the path.
      throw Object.assign(error as Error, { path: this.path });
    }
    try {
      return content.parse(JSON.parse(text));
    } catch {
      throw new CliError(`${this.path} is damaged. Delete it and sign in again: npx millrace login`);
    }
  }

  async write(credentials: Credentials): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    const draft = `${this.path}.${randomUUID()}`;
    await writeFile(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
    await chmod(draft, 0o600);
    await rename(draft, this.path);
  }
}

/** Deletes a stored account. Its server is no longer the default server of commands. */
export async function forgetAccount(path: string, url: string): Promise<void> {
  const file = new CredentialsFile(path);
  await withLock(`${path}.lock`, async () => {
    const { current, servers } = await file.read();
    const { [url]: _, ...others } = servers;
    await file.write({ ...(current !== undefined && current !== url && { current }), servers: others });
  });
}

/** Stores an account, and makes its server the default server of commands. */
export async function saveAccount(path: string, url: string, account: Account): Promise<void> {
  const file = new CredentialsFile(path);
  await withLock(`${path}.lock`, async () => {
    const { servers } = await file.read();
    await file.write({ current: url, servers: { ...servers, [url]: account } });
  });
}

/** The session with one server in the credentials file. Commands that run at the same time share it. */
export class StoredSession implements SessionStore {
  constructor(
    private readonly file: CredentialsFile,
    private readonly url: string,
  ) {}

  async read(): Promise<SessionCredentials | null> {
    return (await this.file.read()).servers[this.url]?.session ?? null;
  }

  /** Called inside of `exclusively`, so the file does not change between the read and the write. */
  async write(session: SessionCredentials | null): Promise<void> {
    const credentials = await this.file.read();
    const { session: _, ...rest } = credentials.servers[this.url] ?? {};
    const account: Account = session === null ? rest : { ...rest, session };
    await this.file.write({ ...credentials, servers: { ...credentials.servers, [this.url]: account } });
  }

  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return withLock(`${this.file.path}.lock`, work);
  }
}
