import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { cancellations, heartbeats, readRunningLog, runDispatch } from '@millrace/contracts/runs/engine';
import { Broker } from '@millrace/messaging/broker';
import { Processes } from '@millrace/messaging/processes';
import { WorkerCore } from './worker-core.js';

const HEARTBEAT_MS = 2_000;
/** Running tasks may end by themselves for this long when the worker is told to end. */
const GRACE_MS = 5_000;

/** Connects the worker to the rest: takes dispatches from the queue, hears cancellations, tells that it is there. */
@Injectable()
export class DispatchesProcessor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DispatchesProcessor.name);
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly worker: WorkerCore,
    private readonly broker: Broker,
  ) {}

  onApplicationBootstrap(): void {
    this.broker.hear(cancellations, (cancel) => this.worker.cancel(cancel));
    this.broker.answer(readRunningLog, this.worker.id, (question) => this.worker.readLog(question));
    this.broker.onReconnect(() => this.beat());
    this.beat();
    this.timer = setInterval(() => this.beat(), HEARTBEAT_MS);
    this.logger.log({ message: 'takes dispatches', worker: this.worker.id, isolation: this.worker.isolation.mode });
  }

  @Processes(runDispatch)
  async run(payload: Payload<typeof runDispatch>): Promise<void> {
    await this.worker.execute(payload);
  }

  private beat(): void {
    this.broker.tell(heartbeats, this.worker.heartbeat());
  }

  /** Before the queue's own shutdown, which waits for whatever still runs. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.worker.close(GRACE_MS);
  }
}
