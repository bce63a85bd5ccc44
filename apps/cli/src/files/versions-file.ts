import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { withLock } from '../account/with-lock.js';
import { CliError } from '../cli-error.js';

/** Version id by server, workflow id and absolute path of the file. */
const content = z.record(z.string(), z.record(z.string(), z.record(z.string(), z.string())));
type Content = z.infer<typeof content>;

/** What one file was last saved as. */
export interface FilePlace {
  server: string;
  workflow: string;
  /** Absolute. */
  file: string;
}

/**
 * Which version of a workflow each file was when it was last run from this machine, so that a newer version of somebody
 * else is noticed. It is stored beside the credentials and not beside the workflow file: the folder of that may be
 * read-only, and in a repository every run of every user would change a tracked file.
 */
export class VersionsFile {
  constructor(private readonly path: string) {}

  async find({ server, workflow, file }: FilePlace): Promise<string | undefined> {
    return (await this.read())[server]?.[workflow]?.[file];
  }

  async remember({ server, workflow, file }: FilePlace, version: string): Promise<void> {
    await withLock(`${this.path}.lock`, async () => {
      const known = await this.read();
      if (known[server]?.[workflow]?.[file] === version) return;
      const files = { ...known[server]?.[workflow], [file]: version };
      await this.write({ ...known, [server]: { ...known[server], [workflow]: files } });
    });
  }

  private async read(): Promise<Content> {
    let text: string;
    try {
      text = await readFile(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
      // What a read of an open file throws names no path.
      throw Object.assign(error as Error, { path: this.path });
    }
    try {
      return content.parse(JSON.parse(text));
    } catch {
      throw new CliError(`${this.path} is damaged. Delete it; the next runs of changed files may then need --force.`);
    }
  }

  private async write(known: Content): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    const draft = `${this.path}.${randomUUID()}`;
    await writeFile(draft, `${JSON.stringify(known, null, 2)}\n`, { mode: 0o600 });
    await rename(draft, this.path);
  }
}
