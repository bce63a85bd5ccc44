import { Worker } from 'node:worker_threads';
import type { Payload } from '@millrace/contracts/kit/event';
import type { Signal } from '@millrace/contracts/kit/signal';
import type { MessagingOptions } from '../wiring/messaging-options.js';
import type { HeartbeatThreadData, HeartbeatThreadCommand } from './heartbeat.thread.js';

/** From `src`, where Jest runs, and from `dist` alike: a thread takes JavaScript. */
const PROGRAM = new URL('../../dist/broker/heartbeat.thread.js', import.meta.url);
const LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 };
const RESTART_MS = 1_000;

export interface HeartbeatThreadOptions {
  /** Time between two signals, in milliseconds. */
  intervalMs: number;
  /** A payload that is older is no longer published: by then the event loop is stuck for good. */
  trustMs: number;
}

/**
 * Publishes a signal at an interval, whatever the event loop of the process does: from a thread with a broker connection
 * of its own, and the credentials of the service. The process sets the payload, and sets it again to show that it runs.
 */
export class HeartbeatThread<S extends Signal> {
  private latest: HeartbeatThreadCommand | null = null;
  private thread: Worker | null = null;
  private restart: NodeJS.Timeout | undefined;
  private isClosed = false;

  /** @param onFailure called if the thread ends by itself; another one starts a second later */
  constructor(
    private readonly options: MessagingOptions,
    private readonly signal: S,
    private readonly settings: HeartbeatThreadOptions,
    private readonly onFailure: (error: unknown) => void,
  ) {
    this.start();
  }

  /** What is published from now on. Takes some 20 µs. */
  set(payload: Payload<S>): void {
    this.latest = { text: JSON.stringify(payload) };
    this.thread?.postMessage(this.latest);
  }

  /** Publishes nothing more. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.restart);
    await this.thread?.terminate();
  }

  private start(): void {
    const { service, natsUrl, natsPassword } = this.options;
    const options: MessagingOptions = {
      ...{ service, natsUrl, redisUrl: '', checkResponses: false },
      ...(natsPassword !== undefined && { natsPassword }),
    };
    const workerData: HeartbeatThreadData = { options, subject: this.signal.subject, ...this.settings };
    const thread = new Worker(PROGRAM, { workerData, resourceLimits: LIMITS, execArgv: [], env: {} });
    let failure: unknown = new Error('the thread of a steady signal has ended');
    thread.on('error', (error: unknown) => {
      failure = error;
    });
    thread.on('exit', () => {
      if (this.isClosed) return;
      this.thread = null;
      this.onFailure(failure);
      this.restart = setTimeout(() => this.start(), RESTART_MS);
    });
    this.thread = thread;
    if (this.latest) thread.postMessage(this.latest);
  }
}
