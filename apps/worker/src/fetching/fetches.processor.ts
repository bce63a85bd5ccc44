import { randomUUID } from 'node:crypto';
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
import { WorkerCore } from '../core/worker-core.js';
import { fetchAll } from './fetch-all.js';

/** Runs whose inputs one worker brings in at the same time, beside the steps in its slots. */
export const MAX_CONCURRENT_FETCHES = 2;

/** Until inputs for which there was no space are fetched again, in milliseconds. */
const DISK_FULL_PAUSE_MS = 5_000;

export const FETCH_SETTINGS = Symbol('fetch settings');
export interface FetchSettings {
  allowed: AllowList;
  maxBytes: number;
  timeoutMs: number;
}

/** Brings in what runs were given by URL, and tells the engine. */
@Injectable()
export class FetchesProcessor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(FetchesProcessor.name);
  private readonly underWay = new Map<string, AbortController>();
  private readonly outside: EgressClient;
  private readonly scratch: string;
  private isClosing = false;

  constructor(
    private readonly worker: WorkerCore,
    private readonly broker: Broker,
    private readonly rpc: RpcClient,
    @Inject(FETCH_SETTINGS) private readonly settings: FetchSettings,
  ) {
    this.outside = new EgressClient(settings.allowed);
    this.scratch = join(worker.folder, 'fetched');
    mkdirSync(this.scratch, { recursive: true, mode: 0o700 });
  }

  onApplicationBootstrap(): void {
    this.broker.subscribe(cancellations, ({ dispatches }) => {
      for (const id of dispatches) this.underWay.get(id)?.abort(new Error('The run was stopped'));
    });
  }

  /** A failure here is of this worker or on its way to the engine: another one tries. */
  @JobProcessor(fetchInputs)
  async fetch({ run, inputs }: Payload<typeof fetchInputs>): Promise<void> {
    const id = `fetch-${run}`;
    const stop = new AbortController();
    this.underWay.set(id, stop);
    try {
      if (this.isClosing) throw new Error('The worker is shutting down');
      const retryPolicy = { tries: fetchInputs.attempts, waitMs: fetchInputs.backoffMs };
      const { store } = this.worker;
      const tools = { ...this.settings, store, outside: this.outside, scratch: this.scratch, signal: stop.signal };
      const settled = await fetchAll(inputs, tools, retryPolicy);
      await this.rpc.call(reportInputs, { run, ...settled }, { caller: null, requestId: randomUUID() });
      this.logger.debug({ message: 'Inputs fetched', run, failed: settled.problems.length });
    } catch (error) {
      // Not one of the tries after which the run is given up: the disk has room some day.
      if (isDiskFull(error)) throw new RetryLaterError(DISK_FULL_PAUSE_MS);
      if (!stop.signal.aborted || this.isClosing) throw error;
    } finally {
      this.underWay.delete(id);
    }
  }

  /** Before the queue's own shutdown, which waits for whatever still runs. */
  async onModuleDestroy(): Promise<void> {
    this.isClosing = true;
    for (const stop of this.underWay.values()) stop.abort(new Error('The worker is shutting down'));
    await this.outside.close();
  }
}
