import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { healthChecks } from '@millrace/contracts/kit/health';
import { JobQueues } from '@millrace/messaging/jobs/job-queues';
import { checkHealth } from '@millrace/service/health/health';
import { gatewaySystem, type GatewaySystem } from '@millrace/testkit/gateway-system';
import { privateRedis, type PrivateRedis } from '@millrace/testkit/private-redis';
import { start } from '../start.js';

let system: GatewaySystem;
let redis: PrivateRedis;
let queues: JobQueues;
beforeAll(async () => {
  [system, redis] = await Promise.all([gatewaySystem(start), privateRedis()]);
  queues = new JobQueues({
    ...{ service: 'auth', natsUrl: system.nats.url, redisUrl: redis.url },
    ...{ secret: 'secret of the tests, 32 characters at least', checkResponses: true },
  });
  system.auth.on(healthChecks.auth, () => checkHealth({ redis: () => queues.ping() }));
});
afterAll(async () => {
  await redis.signal('SIGCONT');
  await queues.onApplicationShutdown();
  await redis.stop();
  await system.close();
});

it('readiness names the dependency that hangs, not the service that checks it', async () => {
  const url = await system.start();
  const authHealth = async () => {
    const response = await fetch(`${url}/health/ready`);
    return { status: response.status, auth: ((await response.json()) as Ready).services['auth'] };
  };
  // The other services do not run in this suite, so the gateway as a whole is never ready.
  expect(await authHealth()).toEqual({ status: 503, auth: { status: 'ok', checks: { redis: 'ok' } } });
  await redis.signal('SIGSTOP');
  const unavailable = { status: 'unavailable', checks: { redis: 'did not respond' } };
  expect(await authHealth()).toEqual({ status: 503, auth: unavailable });
});

it('readiness contains the version, which clients compare with theirs', async () => {
  const response = await fetch(`${await system.start()}/health/ready`);
  expect(await response.json()).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
});

interface Ready {
  services: Record<string, unknown>;
}
