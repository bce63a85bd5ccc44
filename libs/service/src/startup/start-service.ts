import type { DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { z } from 'zod';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import { BacklogReader } from '@millrace/messaging/backlog/backlog-reader';
import { Broker } from '@millrace/messaging/broker/broker';
import { JobQueues } from '@millrace/messaging/jobs/job-queues';
import { OperationServer } from '@millrace/messaging/rpc/operation-server';
import { currentCause } from '@millrace/messaging/tracing/cause';
import { MessagingModule } from '@millrace/messaging/wiring/messaging.module';
import { databaseServer } from '@millrace/persistence/connections/database-server';
import { Database } from '@millrace/persistence/database';
import { PersistenceModule } from '@millrace/persistence/persistence.module';
import { adminTaskProviders } from '../admin/admin-tasks.js';
import type { InvariantCheck } from '../admin/invariant-check.js';
import { measureBacklog } from '../health/backlog-metrics.js';
import { measureDisks } from '../health/disk-metrics.js';
import { DiskSpace } from '../health/disk-space.js';
import { healthController } from '../health/health-controller.js';
import { HealthServer, type HealthRoute } from '../health/health-server.js';
import type { HealthChecks } from '../health/run-checks.js';
import { followLogLevel } from '../logging/follow-log-level.js';
import { createLogger, NestLogger } from '../logging/logger.js';
import { type databaseEnv, readEnv, type ProcessEnv } from './env.js';
import { messagingOptions } from './messaging-options.js';
import type { RunningService } from './run-until-signal.js';

/** A service with tables and operation handlers. */
export interface ServiceDefinition<S extends typeof databaseEnv> {
  name: Exclude<ServiceName, 'gateway' | 'worker'>;
  env: S;
  module: (env: z.output<S>) => DynamicModule | Type;
  /** What this service needs beyond the disk, Postgres, Redis and NATS. */
  checks?: (app: INestApplicationContext) => HealthChecks;
  /** What must hold for the stored data of the service. Administrators start these checks. */
  invariants?: (env: z.output<S>) => InvariantCheck[];
  /** Finds what an operator should look at although the service works. */
  findWarnings?: (app: INestApplicationContext) => Promise<Record<string, string>>;
  /** Further paths of the health port. */
  routes?: (app: INestApplicationContext) => Record<string, HealthRoute>;
  /** Adds a source of metrics. @returns a function that removes it */
  measure?: (app: INestApplicationContext) => () => void;
}

/** Starts a service: environment, logger, database, messaging, health checks and its own module. */
export async function startService<S extends typeof databaseEnv>(
  definition: ServiceDefinition<S>,
  source: ProcessEnv,
  healthServer = new HealthServer(),
): Promise<RunningService> {
  const health = healthServer.add(definition.name);
  const env = readEnv(definition.name, definition.env, source);
  const options = messagingOptions(definition.name, env);
  const database = new Database({
    ...databaseServer(env),
    service: definition.name,
    connections: env.DATABASE_CONNECTIONS,
    currentCause,
  });
  await database.connect();
  const logger = createLogger(definition.name, env.LOG_LEVEL);
  const app = await NestFactory.createApplicationContext(
    {
      module: class Root {},
      imports: [PersistenceModule.of(database), MessagingModule.forService(options), definition.module(env)],
      controllers: [healthController(definition.name, health)],
      providers: adminTaskProviders(definition.name, definition.invariants?.(env) ?? []),
    },
    { logger: new NestLogger(logger), abortOnError: false },
  ).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const close = async () => {
    await app.get(OperationServer).close();
    await app.close();
    await database.close();
  };
  try {
    await app.get(OperationServer).listen();
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
  const unfollow = followLogLevel(app.get(Broker), definition.name, logger);
  const disk = new DiskSpace(source, env.DISK_MIN_FREE_MIB);
  health.setReady({
    checks: {
      disk: () => disk.check(),
      postgres: () => database.client.$queryRaw`SELECT 1`,
      redis: () => app.get(JobQueues).ping(),
      nats: () => app.get(Broker).connection.rtt(),
      ...definition.checks?.(app),
    },
    findWarnings: async () => (await definition.findWarnings?.(app)) ?? {},
    readBacklog: () => app.get(BacklogReader).read(),
  });
  const backlog = app.get(BacklogReader);
  healthServer.addRoute('/scaling/events', async () => ({ status: 200, body: { lag: await backlog.countEvents() } }));
  for (const [path, respond] of Object.entries(definition.routes?.(app) ?? {})) healthServer.addRoute(path, respond);
  const stopMeasuring = [measureBacklog(definition.name, backlog), measureDisks(disk), definition.measure?.(app)];
  logger.info('Service is ready');
  return {
    close: async () => {
      for (const stop of stopMeasuring) stop?.();
      unfollow();
      await close();
    },
  };
}
