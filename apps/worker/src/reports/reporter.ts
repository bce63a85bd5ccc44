import { setTimeout as sleep } from 'node:timers/promises';
import { type FinishedReport, type Report } from '@millrace/contracts/runs/report';
import { withoutCause } from '@millrace/messaging/tracing/cause';
import { cleanReport } from './clean-report.js';

/** Sends one batch to the engine; resolves when the engine has applied it. */
export type SendReports = (reports: Report[]) => Promise<void>;

export interface ReporterOptions {
  /** How long a report may wait for others of its batch. */
  batchDelayMs?: number;
  /** Minimum time between messages with the end of a dispatch. */
  minIntervalMs?: number;
  /** Number of queued reports from which on `waitForCapacity` blocks. */
  maxQueued?: number;
  retryMs?: number;
  onSendError?: (error: unknown) => void;
}

const MAX_BATCH_REPORTS = 500;
/** Well below the broker's message limit of 1 MiB. */
const MAX_BATCH_CHARACTERS = 256 * 1024;
const MAX_RETRY_MS = 5_000;

/**
 * Sends the reports of all slots in order, in batches. Only one batch is sent at a time. A batch that fails is sent again
 * until it arrives; later reports wait in memory.
 */
export class Reporter {
  private queue: Report[] = [];
  private sending: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;
  /** When the queue is sent next, and when it was sent last, by `performance.now()`. */
  private dueAt = Infinity;
  private lastSentAt = -Infinity;
  private waitingCallers: (() => void)[] = [];
  private readonly options: Required<ReporterOptions>;

  constructor(
    private readonly send: SendReports,
    options: ReporterOptions = {},
  ) {
    this.options = {
      batchDelayMs: 200,
      minIntervalMs: 20,
      maxQueued: 20_000,
      retryMs: 100,
      onSendError: () => undefined,
      ...options,
    };
  }

  add(report: Report): void {
    this.queue.push(cleanReport(report));
    const { batchDelayMs, minIntervalMs } = this.options;
    const now = performance.now();
    // The end of a dispatch is sent at once, because the engine then dispatches the next one; many ends share a message.
    const dueAt = report.type === 'closed' ? Math.max(now, this.lastSentAt + minIntervalMs) : now + batchDelayMs;
    if (dueAt >= this.dueAt) return;
    this.dueAt = dueAt;
    if (!this.sending) this.schedule();
  }

  /** Resolves when fewer than `maxQueued` reports are queued. */
  async waitForCapacity(): Promise<void> {
    if (this.queue.length >= this.options.maxQueued)
      await new Promise<void>((resolve) => this.waitingCallers.push(resolve));
  }

  /** Dispatches with reports that have not arrived yet. */
  get pendingDispatches(): Set<string> {
    return new Set(this.queue.map(({ dispatch }) => dispatch));
  }

  /** Resolves when all that was added has arrived. */
  async flush(): Promise<void> {
    while (this.queue.length > 0 || this.sending) await (this.sending ?? this.start());
  }

  private schedule(): void {
    clearTimeout(this.timer);
    const wait = this.dueAt - performance.now();
    if (wait <= 0) setImmediate(() => void this.start());
    else if (wait < Infinity) this.timer = setTimeout(() => void this.start(), wait);
  }

  private start(): Promise<void> {
    clearTimeout(this.timer);
    // A batch has the reports of several dispatches.
    this.sending ??= withoutCause(() => this.sendBatch()).finally(() => {
      this.sending = null;
      this.schedule();
    });
    return this.sending;
  }

  private async sendBatch(): Promise<void> {
    const batch = selectBatch(this.queue);
    if (batch.length === 0) return;
    this.lastSentAt = performance.now();
    this.dueAt = batch.length < this.queue.length ? this.lastSentAt : Infinity;
    await this.deliver(batch);
    this.queue.splice(0, batch.length);
    if (this.queue.length < this.options.maxQueued) for (const resume of this.waitingCallers.splice(0)) resume();
  }

  private async deliver(batch: Report[]): Promise<void> {
    for (let wait = this.options.retryMs; ; wait = Math.min(2 * wait, MAX_RETRY_MS)) {
      try {
        return await this.send(batch);
      } catch (error) {
        this.options.onSendError(error);
        await sleep(wait);
      }
    }
  }
}

function selectBatch(queue: readonly Report[]): Report[] {
  let characters = 0;
  const end = queue.slice(0, MAX_BATCH_REPORTS).findIndex((report) => {
    characters += sizeOf(report);
    return characters > MAX_BATCH_CHARACTERS;
  });
  return queue.slice(0, end === -1 ? MAX_BATCH_REPORTS : Math.max(1, end));
}

const samplesIn = ({ sampledLogs }: FinishedReport): number =>
  (sampledLogs?.stdout?.length ?? 0) + (sampledLogs?.stderr?.length ?? 0);

/** Approximate length of a report as JSON, which is cheaper than encoding it twice. */
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
    8 * samplesIn(report) +
    params +
    2 * (report.message?.length ?? 0) +
    files.reduce((sum, file) => sum + 130 + 2 * file.path.length, 0)
  );
}
