import { Worker } from 'node:worker_threads';
import type { Payload } from '@millrace/contracts/kit/event';
import type { Signal } from '@millrace/contracts/kit/signal';
import type { MessagingOptions } from '../wiring/messaging-options.js';
import type { HeartbeatThreadData, HeartbeatThreadCommand } from './heartbeat.thread.js';

/** A worker thread needs JavaScript; the path is the same from `src`, where Jest runs, and from `dist`. */
const THREAD_MODULE = new URL('../../dist/broker/heartbeat.thread.js', import.meta.url);
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 };
const RESTART_DELAY_MS = 1_000;

export interface HeartbeatThreadOptions {
  /** Interval of the signal, in milliseconds. */
  intervalMs: number;
  /** An older payload is no longer published, because the event loop is stuck. */
  maxAgeMs: number;
}

/**
 * Publishes a signal at an interval, even while the event loop of the process is blocked: a thread does it, with a
 * broker connection of its own and the credentials of the service. The process sets the payload, and sets it again to
 * show that it is alive.
 */
export class HeartbeatThread<S extends Signal> {
  private latestCommand: HeartbeatThreadCommand | null = null;
  private thread: Worker | null = null;
  private restartTimer: NodeJS.Timeout | undefined;
  private isClosed = false;

  /** @param onFailure called if the thread exits unexpectedly; it restarts after a second */
  constructor(
    private readonly options: MessagingOptions,
    private readonly signal: S,
    private readonly settings: HeartbeatThreadOptions,
    private readonly onFailure: (error: unknown) => void,
  ) {
    this.start();
  }

  /** Sets the payload to publish. Takes about 20 µs. */
  set(payload: Payload<S>): void {
    this.latestCommand = { text: JSON.stringify(payload) };
    this.thread?.postMessage(this.latestCommand);
  }

  /** Stops publishing. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.restartTimer);
    await this.thread?.terminate();
  }

  private start(): void {
    const { service, natsUrl, natsPassword, natsTls } = this.options;
    const options: MessagingOptions = {
      ...{ service, natsUrl, redisUrl: '', checkResponses: false },
      ...(natsPassword !== undefined && { natsPassword }),
      ...(natsTls && { natsTls }),
    };
    const workerData: HeartbeatThreadData = { options, subject: this.signal.subject, ...this.settings };
    const thread = new Worker(THREAD_MODULE, { workerData, resourceLimits: RESOURCE_LIMITS, execArgv: [], env: {} });
    let failure: unknown = new Error('The heartbeat thread exited');
    thread.on('error', (error: unknown) => {
      failure = error;
    });
    thread.on('exit', () => {
      if (this.isClosed) return;
      this.thread = null;
      this.onFailure(failure);
      this.restartTimer = setTimeout(() => this.start(), RESTART_DELAY_MS);
    });
    this.thread = thread;
    if (this.latestCommand) thread.postMessage(this.latestCommand);
  }
}
