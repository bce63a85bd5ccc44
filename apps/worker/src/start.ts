import { NestFactory } from '@nestjs/core';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { findCached } from '@millrace/contracts/runs/cache';
import { dispatchQueue, openVariables, receiveReports, runDispatch } from '@millrace/contracts/runs/engine';
import { Broker } from '@millrace/messaging/broker/broker';
import { JobQueues } from '@millrace/messaging/jobs/job-queues';
import { OperationServer } from '@millrace/messaging/rpc/operation-server';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { MessagingModule } from '@millrace/messaging/wiring/messaging.module';
import { measureDisks } from '@millrace/service/health/disk-metrics';
import { DiskSpace } from '@millrace/service/health/disk-space';
import { healthController } from '@millrace/service/health/health-controller';
import { HealthServer } from '@millrace/service/health/health-server';
import { followLogLevel } from '@millrace/service/logging/follow-log-level';
import { NestLogger, createLogger } from '@millrace/service/logging/logger';
import { type ProcessEnv, readEnv } from '@millrace/service/startup/env';
import { messagingOptions } from '@millrace/service/startup/messaging-options';
import type { RunningService } from '@millrace/service/startup/run-until-signal';
import { type WorkerCalls, WorkerCore } from './core/worker-core.js';
import { DispatchesProcessor } from './dispatches/dispatches.processor.js';
import { DRAIN_TIMEOUT_MS } from './dispatches/drain-timeout.js';
import { workerEnv } from './env.js';
import {
  FETCH_SETTINGS,
  type FetchSettings,
  FetchesProcessor,
  MAX_CONCURRENT_FETCHES,
} from './fetching/fetches.processor.js';
import { measureWorker } from './metrics/measure-worker.js';
import { findJoinedId } from './registration/find-joined-id.js';
import type { SendReports } from './reports/reporter.js';
import { SANDBOX_SETTINGS, SandboxesProcessor } from './sandbox/sandboxes.processor.js';

/** Long, because the services that handle the call may restart in the meantime. */
const OPEN_VARIABLES_OPTIONS = { timeoutMs: 60_000, retryForMs: 20_000 };

/** Short, because many steps run in a second: they should not wait longer for a cache lookup. */
const CACHE_LOOKUP_OPTIONS = { timeoutMs: 3_000 };

/** Injection token: lets the core reach other services. */
const CONNECTED_CORE = Symbol('CONNECTED_CORE');

/** How long a worker takes to end its processes and send its last reports, after its running steps had their time. */
const CLOSE_TIMEOUT_MS = 9_000;

/** Starts a worker. */
export async function start(source: ProcessEnv, healthServer = new HealthServer()): Promise<RunningService> {
  const health = healthServer.add('worker');
  const env = readEnv('worker', workerEnv, source);
  const logger = createLogger('worker', env.LOG_LEVEL);
  let send: SendReports = () => Promise.reject(new Error('not connected yet'));
  let calls: WorkerCalls = {
    unlock: () => Promise.reject(new Error('not connected yet')),
    findCached: () => Promise.reject(new Error('not connected yet')),
  };
  // First of all: runners are forked from this process, which is cheap only while it is small.
  const core = await WorkerCore.start(
    env,
    (batch) => send(batch),
    {
      unlock: (dispatch, recipient) => calls.unlock(dispatch, recipient),
      findCached: (dispatch, keys) => calls.findCached(dispatch, keys),
    },
    {
      onSendError: (error) => logger.warn({ error }, 'Sending reports failed; retrying'),
      joinedAs: findJoinedId(env.NATS_URL),
    },
  );
  const options = {
    ...messagingOptions('worker', env),
    queues: { [runDispatch.name]: dispatchQueue(env.WORKER_FLEET) },
    concurrency: { 'runs.dispatch': env.WORKER_SLOTS, 'runs.fetchInputs': MAX_CONCURRENT_FETCHES },
  };
  const fetching: FetchSettings = {
    allowed: env.EGRESS_ALLOW,
    maxBytes: env.FETCH_MAX_BYTES,
    timeoutMs: env.FETCH_TIMEOUT_SECONDS * 1000,
  };
  const drainTimeoutMs = env.WORKER_DRAIN_SECONDS * 1000;
  // Before the first dispatch arrives.
  const connectCore = (rpc: RpcClient) => {
    const system = { caller: null };
    send = async (reports) => {
      try {
        await rpc.call(receiveReports, { worker: core.id, reports }, system);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'validation_error') throw error;
        // Sending them again would fail again, and block all later reports.
        logger.error({ error }, 'Reports dropped: they do not match their contract');
      }
    };
    calls = {
      unlock: (dispatch, recipient) =>
        rpc.call(openVariables, { worker: core.id, dispatch, recipient }, system, OPEN_VARIABLES_OPTIONS),
      findCached: async (dispatch, keys) =>
        (await rpc.call(findCached, { worker: core.id, dispatch, keys }, system, CACHE_LOOKUP_OPTIONS)).found,
    };
  };
  const app = await NestFactory.createApplicationContext(
    {
      module: class Root {},
      imports: [MessagingModule.forWorker(options)],
      controllers: [healthController('worker', health)],
      providers: [
        { provide: WorkerCore, useValue: core },
        { provide: CONNECTED_CORE, inject: [RpcClient], useFactory: connectCore },
        { provide: FETCH_SETTINGS, useValue: fetching },
        { provide: DRAIN_TIMEOUT_MS, useValue: drainTimeoutMs },
        DispatchesProcessor,
        {
          provide: SANDBOX_SETTINGS,
          useValue: { slots: env.SANDBOX_SLOTS, memoryBytes: env.SANDBOX_MEMORY },
        },
        FetchesProcessor,
        SandboxesProcessor,
      ],
    },
    { logger: new NestLogger(logger), abortOnError: false },
  );
  await app.get(OperationServer).listen();
  const disk = new DiskSpace(source, env.DISK_MIN_FREE_MIB);
  health.setReady({
    checks: {
      disk: () => disk.check(),
      redis: () => app.get(JobQueues).ping(),
      nats: () => app.get(Broker).connection.rtt(),
      storage: () => core.store.check(),
    },
  });
  const unfollow = followLogLevel(app.get(Broker), 'worker', logger);
  const stopMeasuring = [
    measureDisks(disk),
    measureWorker(
      core.fleet,
      () => core.load,
      () => app.get(SandboxesProcessor).load,
    ),
  ];
  logExecution(core, logger);
  logger.info('Service is ready');
  return {
    shutdownTimeoutMs: drainTimeoutMs + CLOSE_TIMEOUT_MS,
    close: async () => {
      unfollow();
      for (const stop of stopMeasuring) stop();
      await app.get(OperationServer).close();
      await app.close();
    },
  };
}

interface Warn {
  warn(message: string): void;
}

/** Warns of every way in which steps are less isolated or limited than they could be, and names the remedy. */
function logExecution(
  { execution: { isolation }, bounds }: Pick<WorkerCore, 'execution' | 'bounds'>,
  logger: Warn,
): void {
  if (isolation === null) return;
  const isRoot = process.getuid?.() === 0;
  if (isolation.mode === 'off') {
    logger.warn('Steps run WITHOUT isolation: WORKER_ISOLATION is off');
    if (!isolation.hasUserPerSlot) {
      logger.warn(
        'Steps run as the user of this worker, and can read its secrets and all stored objects: start it as root, with WORK_DIR and Node.js where other users can pass through (docs/reference/security.md)',
      );
    }
  }
  if (isolation.mode === 'sandbox' && isRoot && !isolation.hasUserPerSlot) {
    logger.warn(
      'Steps count towards the per-user kernel limits of root, because they cannot have a user of their own here (docs/reference/security.md)',
    );
  }
  if (!bounds.memory) {
    logger.warn(
      'Memory of steps is sampled, so a step can exceed its limit for a moment: this worker cannot write control groups (start it as root, or delegate one to it)',
    );
  }
}
