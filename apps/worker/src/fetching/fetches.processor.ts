import { EventEmitter, once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { cancellations, fetchInputs, reportInputs } from '@millrace/contracts/runs/engine';
import { AllowList } from '@millrace/egress/addresses/allow-list';
import { EgressClient } from '@millrace/egress/requests/egress-client';
import { Broker } from '@millrace/messaging/broker/broker';
import { RetryLaterError } from '@millrace/messaging/jobs/job-errors';
import { JobProcessor } from '@millrace/messaging/jobs/job-processor';
import { isDiskFull } from '@millrace/messaging/rpc/explain-outage';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { withLogFields } from '@millrace/messaging/tracing/log-fields';
import { WorkerCore } from '../core/worker-core.js';
import { DRAIN_TIMEOUT_MS } from '../dispatches/drain-timeout.js';
import { fetchAll } from './fetch-all.js';

/** Runs whose inputs one worker fetches concurrently, beside the steps in its slots. */
export const MAX_CONCURRENT_FETCHES = 2;

/** Why a fetch is aborted when its worker shuts down. */
const SHUTDOWN = new Error('The worker is shutting down');

/** How long to wait until inputs are fetched again for which the disk had no space. */
const DISK_FULL_RETRY_MS = 5_000;

export const FETCH_SETTINGS = Symbol('fetch settings');
export interface FetchSettings {
  allowed: AllowList;
  maxBytes: number;
  timeoutMs: number;
}

/** Fetches inputs that runs name by URL, and reports them to the engine. */
@Injectable()
export class FetchesProcessor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(FetchesProcessor.name);
  private readonly running = new Map<string, AbortController>();
  private readonly ended = new EventEmitter();
  private readonly outside: EgressClient;
  private readonly scratch: string;
  private isClosing = false;

  constructor(
    private readonly worker: WorkerCore,
    private readonly broker: Broker,
    private readonly rpc: RpcClient,
    @Inject(FETCH_SETTINGS) private readonly settings: FetchSettings,
    @Inject(DRAIN_TIMEOUT_MS) private readonly drainTimeoutMs: number,
  ) {
    this.outside = new EgressClient(settings.allowed);
    this.scratch = join(worker.folder, 'fetched');
    mkdirSync(this.scratch, { recursive: true, mode: 0o700 });
  }

  onApplicationBootstrap(): void {
    this.broker.subscribe(cancellations, ({ dispatches }) => {
      for (const id of dispatches) this.running.get(id)?.abort(new Error('The run was stopped'));
    });
  }

  /** Rejects if this worker or its connection to the engine failed; then another worker tries. */
  @JobProcessor(fetchInputs)
  async fetch(job: Payload<typeof fetchInputs>): Promise<void> {
    await withLogFields({ runId: job.run }, () => this.fetchInputs(job));
  }

  private async fetchInputs({ run, inputs }: Payload<typeof fetchInputs>): Promise<void> {
    const id = `fetch-${run}`;
    const stop = new AbortController();
    this.running.set(id, stop);
    try {
      if (this.isClosing) throw new RetryLaterError(0);
      const retryPolicy = { attempts: fetchInputs.attempts, waitMs: fetchInputs.backoffMs };
      const { store } = this.worker;
      const tools = { ...this.settings, store, outside: this.outside, scratch: this.scratch, signal: stop.signal };
      const settled = await fetchAll(inputs, tools, retryPolicy);
      await this.rpc.call(reportInputs, { run, ...settled }, { caller: null });
      this.logger.debug({ message: 'Inputs fetched', failed: settled.problems.length });
    } catch (error) {
      // Does not count as an attempt, because a full disk must not fail the run.
      if (isDiskFull(error)) throw new RetryLaterError(DISK_FULL_RETRY_MS);
      // The same holds for a worker that shuts down: another one fetches the inputs.
      if (stop.signal.reason === SHUTDOWN) throw new RetryLaterError(0);
      if (!stop.signal.aborted) throw error;
    } finally {
      this.running.delete(id);
      this.ended.emit('end');
    }
  }

  /** Runs before the queue shuts down, which waits for all running jobs. Fetches have as much time to end as steps. */
  async onModuleDestroy(): Promise<void> {
    this.isClosing = true;
    const deadline = AbortSignal.timeout(this.drainTimeoutMs);
    while (this.running.size > 0 && !deadline.aborted) {
      await once(this.ended, 'end', { signal: deadline }).catch(() => undefined);
    }
    for (const stop of this.running.values()) stop.abort(SHUTDOWN);
    await this.outside.close();
  }
}
