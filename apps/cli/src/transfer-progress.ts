import { formatBytes } from './format-bytes.js';

const MIN_INTERVAL_MS = 100;

/** The progress of transfers in one line of a terminal. Shows nothing if standard error is not a terminal. */
export class TransferProgress {
  private shownAt = 0;
  private isShown = false;

  /** Returns a function that shows the progress of one transfer. */
  of(name: string): (progress: { loaded: number; total: number | null }) => void {
    return ({ loaded, total }) => {
      if (!process.stderr.isTTY || Date.now() - this.shownAt < MIN_INTERVAL_MS) return;
      this.shownAt = Date.now();
      this.isShown = true;
      const share =
        total === null || total === 0 ? '' : ` of ${formatBytes(total)} (${Math.floor((loaded / total) * 100)}%)`;
      const line = `${name}  ${formatBytes(loaded)}${share}`;
      process.stderr.write(`\r\u001b[K${line.slice(0, Math.max(20, (process.stderr.columns || 80) - 1))}`);
    };
  }

  /** Removes the line. */
  end(): void {
    if (this.isShown) process.stderr.write('\r\u001b[K');
    this.isShown = false;
  }
}
