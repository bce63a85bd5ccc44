import { chmod, mkdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { SessionCredentials, SessionStore } from '@millrace/client';
import { CliError } from '../cli-error.js';
import { FileDraft } from './file-draft.js';
import { withLock } from './with-lock.js';

const account = z.object({
  email: z.string().optional(),
  token: z.string().optional(),
  session: z.object({ access: z.string(), refresh: z.string(), expiresAt: z.string() }).optional(),
});
export type Account = z.infer<typeof account>;

const profile = account.extend({ url: z.string() });
/** An account on a server. Profiles have names, so a user can have several accounts on one server. */
export type Profile = z.infer<typeof profile>;

const content = z.object({
  version: z.literal(2),
  /** Name of the profile that commands use by default. */
  current: z.string().optional(),
  profiles: z.record(z.string(), profile),
});
export type Credentials = Omit<z.infer<typeof content>, 'version'>;

/** The format before profiles: the accounts by server. */
const byServer = z
  .object({ current: z.string().optional(), servers: z.record(z.string(), account) })
  .transform(({ current, servers }): Credentials => {
    const credentials: Credentials = { profiles: {} };
    for (const [url, stored] of Object.entries(servers)) {
      const name = nameProfile(credentials, url);
      credentials.profiles[name] = { url, ...stored };
      if (url === current) credentials.current = name;
    }
    return credentials;
  });

/** Space for what a write may add to the file. */
const RESERVE_BYTES = 16_384;

/** The file with the profiles of the user. Only its owner can read it, and it is replaced as a whole. */
export class CredentialsFile {
  constructor(readonly path: string) {}

  async read(): Promise<Credentials> {
    let text: string;
    try {
      text = await readFile(this.path, 'utf8');
      await protect(this.path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { profiles: {} };
      // The error of a failed read does not contain the path.
      throw Object.assign(error as Error, { path: this.path });
    }
    try {
      const { current, profiles } = content.or(byServer).parse(JSON.parse(text));
      return { ...(current !== undefined && { current }), profiles };
    } catch {
      throw new CliError(`${this.path} is damaged. Delete it and sign in again: millrace login`);
    }
  }

  async write(credentials: Credentials, reserved?: FileDraft): Promise<void> {
    const draft = reserved ?? (await this.reserve());
    try {
      await draft.replace(`${JSON.stringify({ version: 2, ...credentials }, null, 2)}\n`);
    } finally {
      await draft.discard();
    }
  }

  /** Reserves the disk space for a write, which then does not fail because the disk is full. */
  async reserve(): Promise<FileDraft> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    const { size } = await stat(this.path).catch(() => ({ size: 0 }));
    return FileDraft.reserve(this.path, size + RESERVE_BYTES);
  }

  /** Changes the file while no other command does. */
  change(edit: (credentials: Credentials) => Credentials): Promise<void> {
    return withLock(`${this.path}.lock`, async () => this.write(edit(await this.read())));
  }
}

/** Finds the profile of that name, or of that server. Of several for a server, the current one comes first. */
export function findProfile(
  { current, profiles }: Credentials,
  { name, url }: { name?: string | null | undefined; url?: string | undefined },
): string | undefined {
  if (typeof name === 'string') return Object.hasOwn(profiles, name) ? name : undefined;
  if (current !== undefined && profiles[current]?.url === url) return current;
  return Object.keys(profiles).find((candidate) => profiles[candidate]?.url === url);
}

/** A name for a new profile of a server: its host, such as `millrace.example.org` or `127.0.0.1:8080`. */
function nameProfile({ profiles }: Credentials, url: string): string {
  const host = URL.canParse(url) ? new URL(url).host : url;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? host : `${host}-${number}`;
    if (!Object.hasOwn(profiles, name)) return name;
  }
}

/** Deletes a profile. It is no longer the default of commands. */
export async function forgetProfile(path: string, name: string): Promise<void> {
  await new CredentialsFile(path).change(({ current, profiles }) => {
    const { [name]: _, ...others } = profiles;
    return { ...(current !== undefined && current !== name && { current }), profiles: others };
  });
}

/**
 * Stores an account as a profile, and makes it the default of commands.
 * @param name of the profile; without it, the account replaces the one on this server
 */
export async function saveAccount(path: string, url: string, stored: Account, name?: string | null): Promise<void> {
  await new CredentialsFile(path).change((credentials) => {
    const chosen = name ?? findProfile(credentials, { url }) ?? nameProfile(credentials, url);
    return { current: chosen, profiles: { ...credentials.profiles, [chosen]: { url, ...stored } } };
  });
}

/** The session of one profile in the credentials file. Commands that run at the same time share it. */
export class StoredSession implements SessionStore {
  private draft: FileDraft | undefined;

  constructor(
    private readonly file: CredentialsFile,
    private readonly profile: string,
  ) {}

  async read(): Promise<SessionCredentials | null> {
    return (await this.file.read()).profiles[this.profile]?.session ?? null;
  }

  /** Called inside of `exclusively`, so the file does not change between the read and the write. */
  async write(session: SessionCredentials | null): Promise<void> {
    const credentials = await this.file.read();
    const found = credentials.profiles[this.profile];
    // The profile was removed while its session was renewed.
    if (found === undefined) return;
    const { session: _, ...rest } = found;
    const changed: Profile = session === null ? rest : { ...rest, session };
    await this.file.write(
      { ...credentials, profiles: { ...credentials.profiles, [this.profile]: changed } },
      this.draft,
    );
  }

  /** A refresh token is valid once, so the disk space for the next one is reserved before the server is called. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return withLock(`${this.file.path}.lock`, async () => {
      this.draft = await this.file.reserve();
      try {
        return await work();
      } finally {
        await this.draft.discard();
        this.draft = undefined;
      }
    });
  }
}

/** Lets only the owner read a file that another program has written. */
async function protect(path: string): Promise<void> {
  const { mode } = await stat(path);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) await chmod(path, 0o600).catch(() => undefined);
}
