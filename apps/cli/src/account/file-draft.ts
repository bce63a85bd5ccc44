import { open, rename, rm, type FileHandle } from 'node:fs/promises';

/** The new content of a file, below another name until it is complete. Only the owner can read it. The caller has a lock. */
export class FileDraft {
  private isOpen = true;

  private constructor(
    private readonly target: string,
    private readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  /** Creates a draft of a file that takes as much space on the disk as its content may have. @param bytes the largest content */
  static async reserve(target: string, bytes: number): Promise<FileDraft> {
    const path = `${target}.draft`;
    // A draft that a killed process left is replaced.
    await rm(path, { force: true });
    const draft = new FileDraft(target, path, await open(path, 'wx', 0o600));
    try {
      await draft.handle.writeFile(' '.repeat(bytes));
      return draft;
    } catch (error) {
      await draft.discard();
      // The error of a failed write does not contain the path.
      throw Object.assign(error as Error, { path: target });
    }
  }

  /** Replaces the file by the draft with this content, and closes the draft. */
  async replace(content: string): Promise<void> {
    const bytes = Buffer.from(content);
    for (let written = 0; written < bytes.length;)
      written += (await this.handle.write(bytes, written, bytes.length - written, written)).bytesWritten;
    await this.handle.truncate(bytes.length);
    await this.handle.sync();
    await this.close();
    await rename(this.path, this.target);
  }

  /** Deletes the draft, if it did not replace a file. */
  async discard(): Promise<void> {
    await this.close();
    await rm(this.path, { force: true });
  }

  private async close(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    await this.handle.close();
  }
}
