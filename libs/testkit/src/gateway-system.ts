import { hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveCaller } from '@millrace/contracts/auth/callers';
import { getMe } from '@millrace/contracts/auth/users';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import type { MessagingOptions } from '@millrace/messaging/wiring/messaging-options';
import type { ProcessEnv } from '@millrace/service/startup/env';
import type { RunningService } from '@millrace/service/startup/run-until-signal';
import { ownerCaller } from './callers.js';
import { claimRedis } from './claim-redis.js';
import { fakeAuth, type FakeAuth } from './fake-auth.js';
import { fakeService, type FakeService } from './fake-service.js';
import { privateNats, type PrivateNats } from './private-nats.js';
import { readTestEnv } from './test-env.js';

type Start = (source: ProcessEnv) => Promise<RunningService & { url: string }>;

export interface GatewaySystem {
  nats: PrivateNats;
  auth: FakeAuth;
  /** Callers by API token. */
  callers: Map<string, Caller>;
  /** Connects a fake of another service. */
  fake(service: ServiceName): Promise<FakeService>;
  /** Starts a copy of the gateway. @returns its URL */
  start(env?: Record<string, string>): Promise<string>;
  close(): Promise<void>;
}

/** The profile that the fake auth service returns for every user. */
export const ME = {
  id: 'u',
  email: 'ada@example.org',
  name: 'Ada',
  vault: 'v',
  vault_role: 'owner' as const,
  is_google: false,
  mfa_enabled: false,
  created_date: '2026-01-01T00:00:00.000Z',
};

/**
 * Runs copies of the gateway in this process, with a private broker and a fake auth service.
 * @param startGateway the app's `start` function; the suite passes it so that this library depends on no app
 */
export async function gatewaySystem(startGateway: Start): Promise<GatewaySystem> {
  const [nats, redis, folder] = await Promise.all([
    privateNats(),
    claimRedis(),
    mkdtemp(join(tmpdir(), 'millrace-gateway-')),
  ]);
  const shared = {
    NODE_ENV: 'test',
    LOG_LEVEL: readTestEnv().logLevel,
    NATS_URL: nats.url,
    NATS_PASSWORD_GATEWAY: nats.passwords.gateway,
    REDIS_URL: redis.url,
    MILLRACE_SECRET: 'secret of the tests, 32 characters at least',
    STORAGE_DIR: folder,
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '0',
  };
  const optionsOf = (service: ServiceName): MessagingOptions => ({
    ...{ service, natsUrl: nats.url, natsPassword: nats.passwords[service], redisUrl: redis.url },
    ...{ secret: shared.MILLRACE_SECRET, checkResponses: true },
  });
  const auth = await fakeAuth(optionsOf('auth'));
  const callers = new Map<string, Caller>([['token', ownerCaller()]]);
  auth.on(resolveCaller, ({ body }) => {
    const { tokenHash } = body as { tokenHash?: string };
    return { caller: [...callers].find(([token]) => hash('sha256', token, 'hex') === tokenHash)?.[1] ?? null };
  });
  auth.on(getMe, () => ME);
  const gateways: { close(): Promise<void> }[] = [];
  const fakes: FakeService[] = [auth];
  return {
    nats,
    auth,
    callers,
    fake: async (service) => {
      const fake = await fakeService(optionsOf(service));
      fakes.push(fake);
      return fake;
    },
    start: async (env = {}) => {
      const gateway = await startGateway({ ...shared, ...env });
      gateways.push(gateway);
      return gateway.url;
    },
    close: async () => {
      await Promise.all(gateways.map((gateway) => gateway.close()));
      await Promise.all(fakes.map((fake) => fake.close()));
      await nats.stop();
      redis.release();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
