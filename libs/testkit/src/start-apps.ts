import { SERVICES, type ServiceName } from '@millrace/contracts/kit/service-name';
import type { MessagingOptions } from '@millrace/messaging/wiring/messaging-options';
import type { ProcessEnv } from '@millrace/service/startup/env';
import type { RunningService } from '@millrace/service/startup/run-until-signal';
import { claimRedis } from './claim-redis.js';
import { eventSource, type EventSource } from './event-source.js';
import { fakeService, type FakeService } from './fake-service.js';
import { freshDatabase, type FreshDatabase } from './fresh-database.js';
import { gatewayRpcClient, type CallAs } from './gateway-rpc-client.js';
import { openMailbox, type Mailbox } from './mailbox.js';
import { privateNats, type PrivateNats } from './private-nats.js';
import { readTestEnv } from './test-env.js';

export type StartService = (source: ProcessEnv) => Promise<RunningService>;

/** Services that run in this process with servers of their own, and that tests call as the gateway does. */
export interface System {
  database: FreshDatabase;
  nats: PrivateNats;
  /** The environment of every service. */
  env: ProcessEnv;
  callAs: CallAs;
  optionsOf(service: ServiceName): MessagingOptions;
  /** Starts another service, or another copy of one. `close` closes it, too, unless it is closed already. */
  start(start: StartService, env?: ProcessEnv): Promise<RunningService>;
  /** Receives the mails that services enqueue, instead of the service that sends them. */
  openMailbox(): Mailbox;
  /** Connects a fake of a service that is not started here. */
  fake(service: ServiceName): Promise<FakeService>;
  /** Emits events of a service that is not started here. */
  sourceOf(service: ServiceName): Promise<EventSource>;
  close(): Promise<void>;
}

/**
 * @param starts the apps' `start` functions; the suite passes them so that this library depends on no app
 * @param env variables of the suite, besides the addresses and secrets
 */
export async function startApps(starts: readonly StartService[], env: ProcessEnv = {}): Promise<System> {
  const redis = await claimRedis();
  const database = await freshDatabase();
  const nats = await privateNats();
  const passwords = SERVICES.map((service) => [`NATS_PASSWORD_${service.toUpperCase()}`, nats.passwords[service]]);
  const shared: ProcessEnv = {
    NODE_ENV: 'test',
    LOG_LEVEL: readTestEnv().logLevel,
    DATABASE_URL: database.url,
    ...database.logins,
    DATABASE_CONNECTIONS: '5',
    NATS_URL: nats.url,
    REDIS_URL: redis.url,
    MILLRACE_SECRET: 'secret of the tests, 32 characters at least',
    ...(Object.fromEntries(passwords) as ProcessEnv),
    ...env,
  };
  const optionsOf = (service: ServiceName): MessagingOptions => ({
    service,
    natsUrl: nats.url,
    natsPassword: nats.passwords[service],
    redisUrl: redis.url,
    secret: String(shared['MILLRACE_SECRET']),
    checkResponses: true,
  });
  const open = new Set<RunningService>();
  const track = <R extends RunningService>(running: R): R => {
    const close = running.close.bind(running);
    running.close = async () => {
      if (open.delete(running)) await close();
    };
    open.add(running);
    return running;
  };
  const gateway = await gatewayRpcClient(optionsOf('gateway'));
  const system: System = {
    database,
    nats,
    env: shared,
    callAs: gateway.callAs,
    optionsOf,
    start: async (start, more = {}) => track(await start({ ...shared, ...more })),
    openMailbox: () => track(openMailbox(optionsOf('notifications'))),
    fake: async (service) => track(await fakeService(optionsOf(service))),
    sourceOf: async (service) => track(await eventSource(service, database.url, optionsOf(service))),
    close: async () => {
      await Promise.all([...open].map((running) => running.close()));
      await gateway.close();
      await nats.stop();
      await database.drop();
      redis.release();
    },
  };
  try {
    await Promise.all(starts.map((start) => system.start(start)));
  } catch (error) {
    await system.close();
    throw error;
  }
  return system;
}
