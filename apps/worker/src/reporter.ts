import { setTimeout as sleep } from 'node:timers/promises';
import { type Report } from '@millrace/contracts/runs/report';
import { cleanReport } from './clean-report.js';

/** Takes one batch to the engine; resolves once it is kept there. `id` stays the same when a batch is sent again. */
export type SendReports = (reports: Report[], id: string) => Promise<void>;

export interface ReporterOptions {
  /** How long a report may wait for others. */
  gatherMs?: number;
  /** Reports above which `calm` makes callers wait. */
  most?: number;
  retryMs?: number;
  onTrouble?: (error: unknown) => void;
}

const BATCH_REPORTS = 500;
/** Well below the broker's message limit of 1 MiB. */
const BATCH_CHARACTERS = 256 * 1024;
const LONGEST_RETRY_MS = 5_000;

/**
 * Sends what all slots report, in order, a few milliseconds' worth at a time. One batch is on its way at any moment; one
 * that fails is sent again until it arrives, and meanwhile the rest waits in memory.
 */
export class Reporter {
  private queue: Report[] = [];
  private sending: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private sent = 0;
  private resume: (() => void)[] = [];
  private readonly options: Required<ReporterOptions>;

  constructor(
    private readonly worker: string,
    private readonly send: SendReports,
    options: ReporterOptions = {},
  ) {
    this.options = { gatherMs: 40, most: 20_000, retryMs: 100, onTrouble: () => undefined, ...options };
  }

  add(report: Report): void {
    this.queue.push(cleanReport(report));
    if (this.sending) return;
    // The end of a dispatch is told at once, for the engine hands out the next; what else there is travels along.
    if (report.type === 'closed') setImmediate(() => void this.start());
    else this.timer ??= setTimeout(() => void this.start(), this.options.gatherMs);
  }

  /** Resolves at once, or where too much waits to be sent, when it no longer does. */
  async calm(): Promise<void> {
    if (this.queue.length >= this.options.most) await new Promise<void>((resolve) => this.resume.push(resolve));
  }

  /** Resolves when all that was added has arrived. */
  async flush(): Promise<void> {
    while (this.queue.length > 0 || this.sending) await (this.sending ?? this.start());
  }

  private start(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.sending ??= this.drain().finally(() => (this.sending = null));
    return this.sending;
  }

  private async drain(): Promise<void> {
    while (this.queue.length > 0) {
      const batch = takeBatch(this.queue);
      await this.deliver(batch, `${this.worker}-${++this.sent}`);
      this.queue.splice(0, batch.length);
      if (this.queue.length < this.options.most) for (const resume of this.resume.splice(0)) resume();
    }
  }

  private async deliver(batch: Report[], id: string): Promise<void> {
    for (let wait = this.options.retryMs; ; wait = Math.min(2 * wait, LONGEST_RETRY_MS)) {
      try {
        return await this.send(batch, id);
      } catch (error) {
        this.options.onTrouble(error);
        await sleep(wait);
      }
    }
  }
}

function takeBatch(queue: readonly Report[]): Report[] {
  let characters = 0;
  const end = queue.slice(0, BATCH_REPORTS).findIndex((report) => {
    characters += sizeOf(report);
    return characters > BATCH_CHARACTERS;
  });
  return queue.slice(0, end === -1 ? BATCH_REPORTS : Math.max(1, end));
}

/** About how long a report is as JSON: near enough, and cheaper than writing it out twice. */
function sizeOf(report: Report): number {
  if (report.type !== 'finished') return 200;
  const files = 'files' in report.outputs ? report.outputs.files : [];
  const params = Object.entries(report.params).reduce(
    (sum, [key, value]) => sum + key.length + String(value).length + 10,
    0,
  );
  return (
    800 + params + 2 * (report.message?.length ?? 0) + files.reduce((sum, file) => sum + 130 + 2 * file.path.length, 0)
  );
}
