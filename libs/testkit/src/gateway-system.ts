import { hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveCaller } from '@millrace/contracts/auth/callers';
import { getMe } from '@millrace/contracts/auth/users';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { ProcessEnv } from '@millrace/service/env';
import type { Running } from '@millrace/service/run-until-signal';
import { ownerCaller } from './callers.js';
import { privateNats, type PrivateNats } from './private-nats.js';
import { redisUrl } from './redis-url.js';
import { readTestEnv } from './test-env.js';
import { playAuth, type PlayedAuth } from './play-auth.js';

type Start = (source: ProcessEnv) => Promise<Running & { url: string }>;

export interface GatewaySystem {
  nats: PrivateNats;
  auth: PlayedAuth;
  /** By API token, who stands behind it. */
  callers: Map<string, Caller>;
  /** Starts a copy of the gateway. @returns where it listens */
  start(env?: Record<string, string>): Promise<string>;
  close(): Promise<void>;
}

/** What the played auth says of every user. */
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
 * Copies of the gateway in this process, with a broker of their own and an auth service that is played.
 * @param startGateway of the app; given by the suite, so that this library depends on no app
 */
export async function gatewaySystem(startGateway: Start): Promise<GatewaySystem> {
  const [nats, redis, folder] = await Promise.all([
    privateNats(),
    redisUrl(),
    mkdtemp(join(tmpdir(), 'millrace-gateway-')),
  ]);
  const password = (service: 'auth' | 'gateway') => nats.passwords[service];
  const shared = {
    NODE_ENV: 'test',
    LOG_LEVEL: readTestEnv().logLevel,
    NATS_URL: nats.url,
    NATS_PASSWORD_GATEWAY: password('gateway'),
    REDIS_URL: redis,
    MILLRACE_SECRET: 'secret of the tests, 32 characters at least',
    STORAGE_DIR: folder,
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '0',
  };
  const options = { natsUrl: nats.url, redisUrl: redis, secret: shared.MILLRACE_SECRET, checkResponses: true };
  const auth = await playAuth({ service: 'auth', natsPassword: password('auth'), ...options });
  const callers = new Map<string, Caller>([['token', ownerCaller()]]);
  auth.on(resolveCaller, ({ body }) => {
    const { tokenHash } = body as { tokenHash?: string };
    return { caller: [...callers].find(([token]) => hash('sha256', token, 'hex') === tokenHash)?.[1] ?? null };
  });
  auth.on(getMe, () => ME);
  const open: { close(): Promise<void> }[] = [];
  return {
    nats,
    auth,
    callers,
    start: async (env = {}) => {
      const gateway = await startGateway({ ...shared, ...env });
      open.push(gateway);
      return gateway.url;
    },
    close: async () => {
      await Promise.all(open.map((gateway) => gateway.close()));
      await auth.close();
      await nats.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
