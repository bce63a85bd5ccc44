import { randomUUID } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { findCached } from '@millrace/contracts/runs/cache';
import { receiveReports, openVariables } from '@millrace/contracts/runs/engine';
import { Broker } from '@millrace/messaging/broker/broker';
import { JobQueues } from '@millrace/messaging/jobs/job-queues';
import { OperationServer } from '@millrace/messaging/rpc/operation-server';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { MessagingModule } from '@millrace/messaging/wiring/messaging.module';
import { DiskSpace } from '@millrace/service/health/disk-space';
import { healthController, serveHealth, type HealthChecks } from '@millrace/service/health/health';
import { createLogger, NestLogger } from '@millrace/service/logging/logger';
import { readEnv, type ProcessEnv } from '@millrace/service/startup/env';
import { messagingOptions } from '@millrace/service/startup/messaging-options';
import type { RunningService } from '@millrace/service/startup/run-until-signal';
import { logIsolation } from './core/log-isolation.js';
import { WorkerCore, type WorkerCalls } from './core/worker-core.js';
import { DispatchesProcessor } from './dispatches/dispatches.processor.js';
import { workerEnv } from './env.js';
import {
  FETCH_SETTINGS,
  MAX_CONCURRENT_FETCHES,
  FetchesProcessor,
  type FetchSettings,
} from './fetching/fetches.processor.js';
import type { SendReports } from './reports/reporter.js';
import { SANDBOX_SETTINGS, SandboxesProcessor } from './sandbox/sandboxes.processor.js';

/** Long, because the services that handle the call may restart in the meantime. */
const OPEN_VARIABLES_OPTIONS = { timeoutMs: 60_000, retryForMs: 20_000 };

/** Short, because many steps run in a second: they should not wait longer for a cache lookup. */
const CACHE_LOOKUP_OPTIONS = { timeoutMs: 3_000 };

/** Starts a worker. */
export async function start(source: ProcessEnv): Promise<RunningService> {
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
    { onSendError: (error) => logger.warn({ error }, 'Sending reports failed; retrying') },
  );
  const options = {
    ...messagingOptions('worker', env),
    concurrency: { 'runs.dispatch': env.WORKER_SLOTS, 'runs.fetchInputs': MAX_CONCURRENT_FETCHES },
  };
  const fetching: FetchSettings = {
    allowed: env.EGRESS_ALLOW,
    maxBytes: env.FETCH_MAX_BYTES,
    timeoutMs: env.FETCH_TIMEOUT_SECONDS * 1000,
  };
  const checks: HealthChecks = {};
  const app = await NestFactory.createMicroservice(
    {
      module: class Root {},
      imports: [MessagingModule.forWorker(options)],
      controllers: [healthController('worker', checks)],
      providers: [
        { provide: WorkerCore, useValue: core },
        { provide: FETCH_SETTINGS, useValue: fetching },
        DispatchesProcessor,
        {
          provide: SANDBOX_SETTINGS,
          useValue: { slots: env.SANDBOX_SLOTS, memoryBytes: env.SANDBOX_MEMORY },
        },
        FetchesProcessor,
        SandboxesProcessor,
      ],
    },
    { strategy: new OperationServer(options), logger: new NestLogger(logger), abortOnError: false },
  );
  const rpc = app.get(RpcClient);
  const systemContext = () => ({ caller: null, requestId: randomUUID() });
  send = async (reports) => {
    try {
      await rpc.call(receiveReports, { worker: core.id, reports }, systemContext());
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'validation_error') throw error;
      // Sending them again would fail again, and block all later reports.
      logger.error({ error }, 'Reports dropped: they do not match their contract');
    }
  };
  calls = {
    unlock: (dispatch, recipient) =>
      rpc.call(openVariables, { worker: core.id, dispatch, recipient }, systemContext(), OPEN_VARIABLES_OPTIONS),
    findCached: async (dispatch, keys) =>
      (await rpc.call(findCached, { worker: core.id, dispatch, keys }, systemContext(), CACHE_LOOKUP_OPTIONS)).found,
  };
  await app.listen();
  const disk = new DiskSpace(source, env.DISK_MIN_FREE_MIB);
  checks['disk'] = () => disk.check();
  checks['redis'] = () => app.get(JobQueues).ping();
  checks['nats'] = () => app.get(Broker).connection.rtt();
  const health = env.HEALTH_PORT === undefined ? null : serveHealth(env.HEALTH_PORT, checks);
  logIsolation(core, logger);
  logger.info('ready');
  return {
    close: async () => {
      health?.close();
      await app.close();
    },
  };
}
