import { setTimeout as sleep } from 'node:timers/promises';
import { type Report } from '@millrace/contracts/runs/report';
import { cleanReport } from './clean-report.js';

/** Takes one batch to the engine; resolves once it is applied there. */
export type SendReports = (reports: Report[]) => Promise<void>;

export interface ReporterOptions {
  /** How long a report may wait for others. */
  gatherMs?: number;
  /** What lies between messages that tell the end of dispatches. */
  paceMs?: number;
  /** Reports above which `calm` makes callers wait. */
  most?: number;
  retryMs?: number;
  onTrouble?: (error: unknown) => void;
}

const BATCH_REPORTS = 500;
/** Well below the broker's message limit of 1 MiB. */
const BATCH_CHARACTERS = 256 * 1024;
const MAX_RETRY_MS = 5_000;

/**
 * Sends what all slots report, in order, a few milliseconds' worth at a time. One batch is on its way at any moment; one
 * that fails is sent again until it arrives, and meanwhile the rest waits in memory.
 */
export class Reporter {
  private queue: Report[] = [];
  private sending: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;
  /** When the queue is to be sent, and when it was last, by `performance.now()`. */
  private due = Infinity;
  private begun = -Infinity;
  private resume: (() => void)[] = [];
  private readonly options: Required<ReporterOptions>;

  constructor(
    private readonly send: SendReports,
    options: ReporterOptions = {},
  ) {
    this.options = { gatherMs: 100, paceMs: 20, most: 20_000, retryMs: 100, onTrouble: () => undefined, ...options };
  }

  add(report: Report): void {
    this.queue.push(cleanReport(report));
    const { gatherMs, paceMs } = this.options;
    const now = performance.now();
    // The end of a dispatch is told at once, for the engine hands out the next; but where many end, not each by itself.
    const due = report.type === 'closed' ? Math.max(now, this.begun + paceMs) : now + gatherMs;
    if (due >= this.due) return;
    this.due = due;
    if (!this.sending) this.arm();
  }

  /** Resolves at once, or where too much waits to be sent, when it no longer does. */
  async calm(): Promise<void> {
    if (this.queue.length >= this.options.most) await new Promise<void>((resolve) => this.resume.push(resolve));
  }

  /** Dispatches of which something is yet to arrive. */
  get pendingReports(): Set<string> {
    return new Set(this.queue.map(({ dispatch }) => dispatch));
  }

  /** Resolves when all that was added has arrived. */
  async flush(): Promise<void> {
    while (this.queue.length > 0 || this.sending) await (this.sending ?? this.start());
  }

  private arm(): void {
    clearTimeout(this.timer);
    const wait = this.due - performance.now();
    if (wait <= 0) setImmediate(() => void this.start());
    else if (wait < Infinity) this.timer = setTimeout(() => void this.start(), wait);
  }

  private start(): Promise<void> {
    clearTimeout(this.timer);
    this.sending ??= this.sendBatch().finally(() => {
      this.sending = null;
      this.arm();
    });
    return this.sending;
  }

  private async sendBatch(): Promise<void> {
    const batch = takeBatch(this.queue);
    if (batch.length === 0) return;
    this.begun = performance.now();
    this.due = batch.length < this.queue.length ? this.begun : Infinity;
    await this.deliver(batch);
    this.queue.splice(0, batch.length);
    if (this.queue.length < this.options.most) for (const resume of this.resume.splice(0)) resume();
  }

  private async deliver(batch: Report[]): Promise<void> {
    for (let wait = this.options.retryMs; ; wait = Math.min(2 * wait, MAX_RETRY_MS)) {
      try {
        return await this.send(batch);
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
    800 +
    (report.cache ? 350 : 0) +
    params +
    2 * (report.message?.length ?? 0) +
    files.reduce((sum, file) => sum + 130 + 2 * file.path.length, 0)
  );
}
