import { writeSync } from 'node:fs';

/** A line is dropped if a slow reader of a pipe does not accept the rest of it within this time. */
const [MAX_BUSY_RETRIES, BUSY_RETRY_MS] = [20, 5];
const sleepCell = new Int32Array(new SharedArrayBuffer(4));

/**
 * Writes log lines to a file descriptor. It never fails, blocks for space, or buffers lines: a line that cannot be
 * written is dropped, and the number of dropped lines is logged once writing works again. Standard output is a file in
 * the data folder, whose disk may be full; the default destination of pino then ends the process, and blocks while it
 * ends.
 */
export class LogWriter {
  private dropped = 0;
  private isFull = false;
  /** The last line was written only in part, so the next one starts with a line break. */
  private isPartial = false;

  constructor(
    private readonly service: string,
    private readonly descriptor = 1,
  ) {}

  /** @param line including its line break */
  write(line: string): void {
    if (this.dropped > 0 && this.tryWrite(this.describeLoss())) this.dropped = 0;
    if (!this.tryWrite(line)) this.dropped += 1;
  }

  private tryWrite(text: string): boolean {
    const bytes = Buffer.from(this.isPartial ? `\n${text}` : text);
    let written = 0;
    try {
      for (let retries = 0; written < bytes.length;) {
        try {
          written += writeSync(this.descriptor, bytes, written);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || ++retries > MAX_BUSY_RETRIES) throw error;
          Atomics.wait(sleepCell, 0, 0, BUSY_RETRY_MS);
        }
      }
      this.isPartial = false;
      return true;
    } catch (error) {
      this.isFull = ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
      // A line that starts with a line break is complete already.
      this.isPartial ||= written > 0;
      return false;
    }
  }

  private describeLoss(): string {
    const msg = `${this.dropped} log lines were dropped ${this.isFull ? 'while the disk was full' : 'because they could not be written'}`;
    const entry = { level: 'warn', time: new Date().toISOString(), service: this.service, dropped: this.dropped, msg };
    return `${JSON.stringify(entry)}\n`;
  }
}
