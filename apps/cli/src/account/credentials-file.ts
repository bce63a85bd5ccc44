import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { CliError } from '../cli-error.js';

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

/** Who is signed in where. The file is readable by its owner alone and replaced as a whole. */
export class CredentialsFile {
  constructor(readonly path: string) {}

  async read(): Promise<Credentials> {
    let text: string;
    try {
      text = await readFile(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { servers: {} };
      // What a read of an open file throws names no path.
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
