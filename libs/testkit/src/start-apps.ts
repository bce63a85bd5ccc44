import { SERVICES, type ServiceName } from '@millrace/contracts/kit/service-name';
import type { MessagingOptions } from '@millrace/messaging/wiring/messaging-options';
import type { ProcessEnv } from '@millrace/service/env';
import type { RunningService } from '@millrace/service/run-until-signal';
import { claimRedis } from './claim-redis.js';
import { eventSource, type EventSource } from './event-source.js';
import { fakeService, type FakeService } from './fake-service.js';
import { freshDatabase, type FreshDatabase } from './fresh-database.js';
import { gatewayRpcClient, type CallAs } from './gateway-rpc-client.js';
import { openMailbox, type Mailbox } from './mailbox.js';
import { privateNats, type PrivateNats } from './private-nats.js';
import { readTestEnv } from './test-env.js';

export type Start = (source: ProcessEnv) => Promise<RunningService>;

/** Services in this process against servers of their own, asked as the gateway asks. */
export interface System {
  database: FreshDatabase;
  nats: PrivateNats;
  /** Environment that every service is started with. */
  env: ProcessEnv;
  callAs: CallAs;
  optionsOf(service: ServiceName): MessagingOptions;
  /** Starts one more service, or another copy of one; ended with the rest unless it was ended before. */
  start(start: Start, env?: ProcessEnv): Promise<RunningService>;
  /** Takes the mails that services order, in the place of the service that sends them. */
  openMailbox(): Mailbox;
  /** Asks and answers in the place of a service that is not started here. */
  play(service: ServiceName): Promise<FakeService>;
  /** Emits events of a service that is not started here. */
  sourceOf(service: ServiceName): Promise<EventSource>;
  close(): Promise<void>;
}

/**
 * @param starts `start` functions of the apps; given by the suite, so that this library depends on no app
 * @param env what the suite sets beyond the addresses and secrets
 */
export async function startApps(starts: readonly Start[], env: ProcessEnv = {}): Promise<System> {
  const redis = await claimRedis();
  const database = await freshDatabase();
  const nats = await privateNats();
  const passwords = SERVICES.map((service) => [`NATS_PASSWORD_${service.toUpperCase()}`, nats.passwords[service]]);
  const shared: ProcessEnv = {
    NODE_ENV: 'test',
    LOG_LEVEL: readTestEnv().logLevel,
    DATABASE_URL: database.url,
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
  const keep = <R extends RunningService>(running: R): R => {
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
    start: async (start, more = {}) => keep(await start({ ...shared, ...more })),
    openMailbox: () => keep(openMailbox(optionsOf('notifications'))),
    play: async (service) => keep(await fakeService(optionsOf(service))),
    sourceOf: async (service) => keep(await eventSource(service, database.url, optionsOf(service))),
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
