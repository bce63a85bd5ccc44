import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Operation, Request } from '@millrace/contracts/kit/operation';
import {
  beginExec,
  claimExec,
  execWatchChanged,
  finishExec,
  openSandbox,
  readExec,
  sandboxHosts,
  sandboxReleases,
} from '@millrace/contracts/runs/sandbox-hosts';
import { InodePool } from '@millrace/isolation/folders/inode-pool';
import { Broker } from '@millrace/messaging/broker/broker';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { WorkerCore } from '../core/worker-core.js';
import { DRAIN_TIMEOUT_MS } from '../dispatches/drain-timeout.js';
import type { SandboxLoad } from '../metrics/measure-worker.js';
import { SandboxHost } from './sandbox-host.js';
import { SANDBOX_LIMITS } from './sandbox-limits.js';

const HEARTBEAT_INTERVAL_MS = 2_000;
const CLEANUP_INTERVAL_MS = 1_000;
/** Long, because the runs service may restart while a command ends. */
const CALL_RETRY_TIMEOUT_MS = 60_000;
const CALL_OPTIONS = { timeoutMs: 20_000 };

export const SANDBOX_SETTINGS = Symbol('sandbox settings');
export interface SandboxSettings {
  slots: number;
  memoryBytes: number;
}

/** Connects the worker's sandboxes to broker and runs service. There are none without isolation and in containers: commands of users need a sandbox. */
@Injectable()
export class SandboxesProcessor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(SandboxesProcessor.name);
  private readonly host: SandboxHost;
  private timers: NodeJS.Timeout[] = [];

  constructor(
    private readonly worker: WorkerCore,
    private readonly broker: Broker,
    private readonly rpc: RpcClient,
    @Inject(SANDBOX_SETTINGS) { slots, memoryBytes }: SandboxSettings,
    @Inject(DRAIN_TIMEOUT_MS) private readonly drainTimeoutMs: number,
  ) {
    const folder = join(worker.folder, 'sandboxes');
    const { store, execution } = worker;
    const { isolation } = execution;
    this.host = new SandboxHost(
      {
        ...{ folder, store, memoryBytes },
        ended: join(folder, 'ended'),
        isolation: isolation && { ...isolation, limits: SANDBOX_LIMITS },
        inodes: new InodePool(join(folder, 'spare')),
        claimExec: (body) => this.call(claimExec, { ...body, worker: worker.id }),
        finishExec: (body) => this.call(finishExec, { ...body, worker: worker.id }),
      },
      isolation?.mode === 'sandbox' ? slots : 0,
    );
  }

  onApplicationBootstrap(): void {
    const { id } = this.worker;
    const { host, broker } = this;
    broker.handleOnInstance(openSandbox, id, async ({ session }) => ({ opened: await host.open(session) }));
    broker.handleOnInstance(beginExec, id, async (request) => ({ accepted: await host.begin(request) }));
    broker.handleOnInstance(readExec, id, (request) => host.read(request));
    broker.subscribe(execWatchChanged, (change) => host.watch(change), id);
    broker.subscribe(sandboxReleases, ({ sessions, worker }) => {
      if (worker === undefined || worker === id) void host.release(sessions);
    });
    broker.onReconnect(() => this.publishHeartbeat());
    this.publishHeartbeat();
    this.timers = [
      setInterval(() => this.publishHeartbeat(), HEARTBEAT_INTERVAL_MS),
      setInterval(() => host.cleanUp(), CLEANUP_INTERVAL_MS),
    ];
    this.logger.log({ message: 'Worker accepts sandboxes', worker: id, slots: host.slots });
  }

  get load(): SandboxLoad {
    const { slots, sessions, runningExecs } = this.host;
    return { slots, open: sessions.length, running: runningExecs.length };
  }

  private publishHeartbeat(): void {
    const { slots, sessions, runningExecs } = this.host;
    this.broker.publish(sandboxHosts, { worker: this.worker.id, slots, sessions, execs: runningExecs });
  }

  private call<O extends Operation>(operation: O, body: Request<O>['body']) {
    return retryCall(() => this.rpc.call(operation, body, { caller: null }, CALL_OPTIONS), CALL_RETRY_TIMEOUT_MS);
  }

  async onModuleDestroy(): Promise<void> {
    const drained = this.host.drain(this.drainTimeoutMs);
    this.publishHeartbeat();
    await drained;
    for (const timer of this.timers) clearInterval(timer);
    await this.host.close();
  }
}

const RETRY_MS = 300;

/**
 * Retries an idempotent call for up to `forMs`: services restart, and responses are lost.
 * @throws the last failure, or the first response with a 4xx status
 */
async function retryCall<T>(call: () => Promise<T>, forMs: number): Promise<T> {
  for (const until = Date.now() + forMs; ; await sleep(RETRY_MS)) {
    try {
      return await call();
    } catch (error) {
      const isRefusal = error instanceof ApiError && error.status < 500;
      if (isRefusal || Date.now() > until) throw error;
    }
  }
}
