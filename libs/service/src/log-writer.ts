import { writeSync } from 'node:fs';

/** A pipe whose reader is slow takes the rest of a line within this time, or the line is dropped. */
const [BUSY_TRIES, BUSY_MS] = [20, 5];
const clock = new Int32Array(new SharedArrayBuffer(4));

/**
 * Writes log lines to a file descriptor and never fails, waits for space or keeps lines in memory: a line that cannot be
 * written is dropped and counted, and the count is written once lines can be. Standard output is a file of the data
 * directory, whose disk may be full; pino's own destination then ends the process and blocks while it ends.
 */
export class LogWriter {
  private dropped = 0;
  private isFull = false;
  /** The last line was written in part, so the next one begins on a line of its own. */
  private isTorn = false;

  constructor(
    private readonly service: string,
    private readonly descriptor = 1,
  ) {}

  /** @param line with its line break */
  write(line: string): void {
    if (this.dropped > 0 && this.attempt(this.describeLoss())) this.dropped = 0;
    if (!this.attempt(line)) this.dropped += 1;
  }

  private attempt(text: string): boolean {
    const bytes = Buffer.from(this.isTorn ? `\n${text}` : text);
    let written = 0;
    try {
      for (let tries = 0; written < bytes.length;) {
        try {
          written += writeSync(this.descriptor, bytes, written);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || ++tries > BUSY_TRIES) throw error;
          Atomics.wait(clock, 0, 0, BUSY_MS);
        }
      }
      this.isTorn = false;
      return true;
    } catch (error) {
      this.isFull = ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
      // What stands there after a line break is whole already.
      this.isTorn ||= written > 0;
      return false;
    }
  }

  private describeLoss(): string {
    const msg = `${this.dropped} log lines were dropped ${this.isFull ? 'while the disk was full' : 'because they could not be written'}`;
    const entry = { level: 'warn', time: new Date().toISOString(), service: this.service, dropped: this.dropped, msg };
    return `${JSON.stringify(entry)}\n`;
  }
}
