import { dirname, join } from 'node:path';
import { type FileRef } from '@millrace/contracts/runs/files';
import { type ObjectStore } from '@millrace/storage/object-store';
import { StepFailure } from './step-failure.js';

/**
 * Puts stored files below one step's `in/`. In a sandbox that is a read-only mount, so the files can be the stored ones
 * themselves; without one they are copies, for nothing else would keep a script from writing into the store.
 */
export class InputFolder {
  private readonly made: Set<string>;

  constructor(
    readonly folder: string,
    private readonly store: ObjectStore,
    private readonly copy: boolean,
    private readonly makeOne: (path: string) => void,
  ) {
    this.made = new Set([folder]);
  }

  /** `path` is relative to `in/`. Two inputs may bring in the same file of the same source; once is enough. */
  async place(path: string, file: Pick<FileRef, 'sha256'>): Promise<void> {
    const target = this.targetOf(path);
    try {
      await this.store.link(file.sha256, target, { copy: this.copy });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }

  makeFolder(path: string): void {
    this.make(join(this.folder, checked(path)));
  }

  targetOf(path: string): string {
    const target = join(this.folder, checked(path));
    this.make(dirname(target));
    return target;
  }

  private make(folder: string): void {
    if (this.made.has(folder)) return;
    this.make(dirname(folder));
    this.makeOne(folder);
    this.made.add(folder);
  }
}

/** Paths come out of messages and manifests: none of them may lead out of `in/`. */
function checked(path: string): string {
  const wrong =
    path.includes('\0') || path.split('/').some((segment) => segment === '' || segment === '.' || segment === '..');
  if (wrong) throw new StepFailure(`cannot bring in a file of the name ${JSON.stringify(path)}`);
  return path;
}
