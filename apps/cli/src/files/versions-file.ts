import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { withLock } from '../account/with-lock.js';
import { CliError } from '../cli-error.js';

/** Version id by server, workflow id and absolute path of the file. */
const content = z.record(z.string(), z.record(z.string(), z.record(z.string(), z.string())));
type Content = z.infer<typeof content>;

/** A workflow file, and the workflow on a server that it was saved as. */
export interface FileKey {
  server: string;
  workflow: string;
  /** Absolute. */
  file: string;
}

/**
 * Stores which version each workflow file was last saved as from this machine, so that a run does not overwrite a newer
 * version of another user. It is stored next to the credentials. Next to the workflow file, every run would change a tracked
 * file of a repository, and that folder may be read-only.
 */
export class VersionsFile {
  constructor(private readonly path: string) {}

  async find({ server, workflow, file }: FileKey): Promise<string | undefined> {
    return (await this.read())[server]?.[workflow]?.[file];
  }

  async store({ server, workflow, file }: FileKey, version: string): Promise<void> {
    await withLock(`${this.path}.lock`, async () => {
      const versions = await this.read();
      if (versions[server]?.[workflow]?.[file] === version) return;
      const files = { ...versions[server]?.[workflow], [file]: version };
      await this.write({ ...versions, [server]: { ...versions[server], [workflow]: files } });
    });
  }

  private async read(): Promise<Content> {
    let text: string;
    try {
      text = await readFile(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
      // The error of a failed read does not contain the path.
      throw Object.assign(error as Error, { path: this.path });
    }
    try {
      return content.parse(JSON.parse(text));
    } catch {
      throw new CliError(`${this.path} is damaged. Delete it; the next runs of changed files may then need --force.`);
    }
  }

  private async write(versions: Content): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    const draft = `${this.path}.${randomUUID()}`;
    await writeFile(draft, `${JSON.stringify(versions, null, 2)}\n`, { mode: 0o600 });
    await rename(draft, this.path);
  }
}
