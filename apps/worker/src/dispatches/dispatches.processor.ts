import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { cancellations, heartbeats, readRunningLog, runDispatch } from '@millrace/contracts/runs/engine';
import { Broker } from '@millrace/messaging/broker/broker';
import { HeartbeatThread } from '@millrace/messaging/broker/heartbeat-thread';
import { JobProcessor } from '@millrace/messaging/jobs/job-processor';
import { MESSAGING_OPTIONS, type MessagingOptions } from '@millrace/messaging/wiring/messaging-options';
import { WorkerCore } from '../core/worker-core.js';

const HEARTBEAT_INTERVAL_MS = 2_000;
/** A worker whose event loop has been stuck for so long is given up: its commands may be well, but nobody hears of it. */
const STUCK_TIMEOUT_MS = 5 * 60_000;
/** Running tasks may end by themselves for this long when the worker is told to end. */
const GRACE_MS = 5_000;

/** Connects the worker to the rest: takes dispatches from the queue, hears cancellations, tells that it is there. */
@Injectable()
export class DispatchesProcessor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DispatchesProcessor.name);
  private timer?: NodeJS.Timeout;
  private beats?: HeartbeatThread<typeof heartbeats>;

  constructor(
    private readonly worker: WorkerCore,
    private readonly broker: Broker,
    @Inject(MESSAGING_OPTIONS) private readonly options: MessagingOptions,
  ) {}

  onApplicationBootstrap(): void {
    this.broker.subscribe(cancellations, (cancel) => this.worker.cancel(cancel));
    this.broker.handleOnInstance(readRunningLog, this.worker.id, (question) => this.worker.readLog(question));
    // At once, because the thread takes a moment to start.
    this.broker.publish(heartbeats, this.worker.heartbeat());
    const settings = { intervalMs: HEARTBEAT_INTERVAL_MS, maxAgeMs: STUCK_TIMEOUT_MS };
    this.beats = new HeartbeatThread(this.options, heartbeats, settings, (error) =>
      this.logger.error({ message: 'Heartbeat thread ended; restarting', error }),
    );
    // The engine takes a dispatch for lost that a worker began and does not list, so a new one is listed at once.
    this.worker.onBegin = () => this.beat();
    this.beat();
    this.timer = setInterval(() => this.beat(), HEARTBEAT_INTERVAL_MS);
    this.logger.log({
      message: 'Worker takes dispatches',
      worker: this.worker.id,
      isolation: this.worker.isolation.mode,
    });
  }

  @JobProcessor(runDispatch)
  async run(payload: Payload<typeof runDispatch>): Promise<void> {
    await this.worker.execute(payload);
  }

  private beat(): void {
    this.beats?.set(this.worker.heartbeat());
  }

  /** Before the queue's own shutdown, which waits for whatever still runs. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.beats?.close();
    await this.worker.close(GRACE_MS);
  }
}
