import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import {
  cancellations,
  heartbeats,
  readRunningLog,
  readRunningTimes,
  runDispatch,
  workerOrders,
} from '@millrace/contracts/runs/engine';
import { Broker } from '@millrace/messaging/broker/broker';
import { HeartbeatThread } from '@millrace/messaging/broker/heartbeat-thread';
import { JobProcessor } from '@millrace/messaging/jobs/job-processor';
import { JobWorkers } from '@millrace/messaging/jobs/job-workers';
import { withLogFields } from '@millrace/messaging/tracing/log-fields';
import { MESSAGING_OPTIONS, type MessagingOptions } from '@millrace/messaging/wiring/messaging-options';
import { WorkerCore } from '../core/worker-core.js';
import { DRAIN_TIMEOUT_MS } from './drain-timeout.js';

const HEARTBEAT_INTERVAL_MS = 2_000;
/** After this time with a blocked event loop the heartbeats stop: its commands may run, but nothing reports their results. */
const STUCK_TIMEOUT_MS = 5 * 60_000;
/** Connects the worker to queue and broker: processes dispatches, handles cancellations, publishes heartbeats. */
@Injectable()
export class DispatchesProcessor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DispatchesProcessor.name);
  private timer?: NodeJS.Timeout;
  private heartbeatThread?: HeartbeatThread<typeof heartbeats>;

  constructor(
    private readonly worker: WorkerCore,
    private readonly broker: Broker,
    private readonly jobs: JobWorkers,
    @Inject(MESSAGING_OPTIONS) private readonly options: MessagingOptions,
    @Inject(DRAIN_TIMEOUT_MS) private readonly drainTimeoutMs: number,
  ) {}

  onApplicationBootstrap(): void {
    this.broker.subscribe(cancellations, (cancel) => this.worker.cancel(cancel));
    this.broker.subscribe(workerOrders, ({ worker, state }) => {
      if (worker === this.worker.id) void this.obey(state);
    });
    this.broker.handleOnInstance(readRunningLog, this.worker.id, (request) => this.worker.readLog(request));
    this.broker.handleOnInstance(readRunningTimes, this.worker.id, (request) => this.worker.readLogTimes(request));
    // Published here as well, because the thread takes a moment to start.
    this.broker.publish(heartbeats, this.worker.heartbeat());
    const settings = { intervalMs: HEARTBEAT_INTERVAL_MS, maxAgeMs: STUCK_TIMEOUT_MS };
    this.heartbeatThread = new HeartbeatThread(this.options, heartbeats, settings, (error) =>
      this.logger.error({ message: 'Heartbeat thread ended; restarting', error }),
    );
    // The engine counts a dispatch as lost if a worker has begun it and does not list it, so it is listed at once.
    this.worker.onBegin = () => this.updateHeartbeat();
    this.updateHeartbeat();
    this.timer = setInterval(() => this.updateHeartbeat(), HEARTBEAT_INTERVAL_MS);
    this.logger.log({
      message: 'Worker accepts dispatches',
      worker: this.worker.id,
      runsSteps: this.worker.execution.description,
    });
  }

  @JobProcessor(runDispatch)
  async run(payload: Payload<typeof runDispatch>): Promise<void> {
    const fields = { runId: payload.run, dispatchId: payload.dispatch };
    await withLogFields(fields, () => this.worker.execute(payload));
  }

  /** Fetches dispatches only while the worker takes work. */
  private async obey(state: Payload<typeof workerOrders>['state']): Promise<void> {
    this.worker.obey(state);
    this.updateHeartbeat();
    this.broker.publish(heartbeats, this.worker.heartbeat());
    this.logger.log({ message: 'Worker got an order', state });
    await (state === 'active' ? this.jobs.resume() : this.jobs.pause()).catch(() => undefined);
  }

  private updateHeartbeat(): void {
    this.heartbeatThread?.set(this.worker.heartbeat());
  }

  /** Runs before the queue shuts down, which waits for all running jobs. Heartbeats continue to the end of the work. */
  async onModuleDestroy(): Promise<void> {
    // Redis may be away; dispatches that still arrive are returned.
    void this.jobs.pause().catch(() => undefined);
    const closed = this.worker.close(this.drainTimeoutMs);
    this.updateHeartbeat();
    this.broker.publish(heartbeats, this.worker.heartbeat());
    this.logger.log({ message: 'Worker drains', dispatches: this.worker.heartbeat().dispatches.length });
    await closed;
    clearInterval(this.timer);
    await this.heartbeatThread?.close();
    this.broker.publish(heartbeats, this.worker.heartbeat());
  }
}
