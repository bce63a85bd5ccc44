import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { demultiplex, type OutputStream } from './demultiplex.js';

const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
/** More than the longest message of tini about a program that it cannot execute. */
const TAIL_BYTES = 4_096;

/** The files `stdout` and `stderr` of a running command. The container does not see them. */
export class OutputFiles {
  private readonly sizes = { stdout: 0, stderr: 0 };
  private tail = Buffer.alloc(0);
  private isExceeded = false;

  private constructor(
    private readonly files: Record<OutputStream, FileHandle>,
    private readonly maxBytes: number,
  ) {}

  /** @param folder slot's folder `step` @param maxBytes of each file */
  static async open(folder: string, maxBytes: number): Promise<OutputFiles> {
    const flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW;
    const stdout = await open(join(folder, 'stdout'), flags, 0o600);
    try {
      return new OutputFiles({ stdout, stderr: await open(join(folder, 'stderr'), flags, 0o600) }, maxBytes);
    } catch (error) {
      await stdout.close();
      throw error;
    }
  }

  /** Whether the command has printed more than a file may have. */
  get exceeded(): boolean {
    return this.isExceeded;
  }

  /** End of standard error. */
  get stderrTail(): string {
    return this.tail.toString('utf8');
  }

  /**
   * Writes the output of a container as it comes, and reads no faster than it writes. What is above the limit is dropped, so
   * that the container does not wait for a reader before it is killed.
   * @param onExceeded called once
   */
  async write(frames: AsyncIterable<Buffer>, onExceeded: () => void): Promise<void> {
    for await (const [stream, content] of demultiplex(frames)) {
      const free = this.maxBytes - this.sizes[stream];
      await this.add(stream, free >= content.length ? content : content.subarray(0, Math.max(0, free)));
      if (free >= content.length || this.isExceeded) continue;
      this.isExceeded = true;
      onExceeded();
    }
  }

  /** Adds a line of the executor to standard error. */
  async addLine(line: string): Promise<void> {
    await this.add('stderr', Buffer.from(`${line}\n`));
  }

  async close(): Promise<void> {
    await Promise.all([this.files.stdout.close(), this.files.stderr.close()]);
  }

  private async add(stream: OutputStream, content: Buffer): Promise<void> {
    if (content.length === 0) return;
    await this.files[stream].writeFile(content);
    this.sizes[stream] += content.length;
    if (stream === 'stderr') this.tail = Buffer.concat([this.tail, content]).subarray(-TAIL_BYTES);
  }
}
