import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { healthChecks, type Health } from '@millrace/contracts/kit/health';
import { JobQueues } from '@millrace/messaging/jobs/job-queues';
import { HealthServer } from '@millrace/service/health/health-server';
import { eventually } from '@millrace/testkit/eventually';
import { gatewaySystem, type GatewaySystem } from '@millrace/testkit/gateway-system';
import { privateRedis, type PrivateRedis } from '@millrace/testkit/private-redis';
import { start } from '../start.js';

let system: GatewaySystem;
let redis: PrivateRedis;
let queues: JobQueues;
let url: string;
beforeAll(async () => {
  [system, redis] = await Promise.all([gatewaySystem(start), privateRedis()]);
  queues = new JobQueues({
    ...{ service: 'auth', natsUrl: system.nats.url, redisUrl: redis.url },
    ...{ secret: 'secret of the tests, 32 characters at least', checkResponses: true },
  });
  const auth = new HealthServer().add('auth');
  auth.setReady({ checks: { redis: () => queues.ping() } });
  system.auth.on(healthChecks.auth, () => auth.readReport());
  url = await system.start();
});
afterAll(async () => {
  await redis.signal('SIGCONT');
  await queues.onApplicationShutdown();
  await redis.stop();
  await system.close();
});

async function probe(name: string): Promise<{ status: number; body: Report }> {
  const response = await fetch(`${url}/health/${name}`);
  return { status: response.status, body: (await response.json()) as Report };
}

interface Report {
  status: string;
  version: string;
  services: Record<string, Health>;
}

it('the health of the system names the dependency that hangs, not the service that checks it', async () => {
  const authHealth = async () => {
    const { status, body } = await probe('system');
    return { status, auth: body.services['auth'] };
  };
  // The other services do not run in this suite, so the system as a whole is never healthy.
  expect(await authHealth()).toEqual({ status: 503, auth: expect.objectContaining({ checks: { redis: 'ok' } }) });
  await redis.signal('SIGSTOP');
  const unavailable = { status: 'unavailable', checks: { redis: 'did not respond' } };
  expect(await authHealth()).toEqual({ status: 503, auth: expect.objectContaining(unavailable) });
});

it('the health of the system contains versions, which clients compare with theirs', async () => {
  const version = expect.stringMatching(/^\d+\.\d+\.\d+/);
  expect((await probe('system')).body).toMatchObject({ version, services: { gateway: { version } } });
});

it('the gateway is ready and started while other services are away, and not ready without its broker', async () => {
  const checks = { disk: 'ok', nats: 'ok', storage: 'ok' };
  expect(await probe('ready')).toMatchObject({ status: 200, body: { services: { gateway: { checks } } } });
  expect((await probe('startup')).status).toBe(200);
  await system.nats.kill();
  await eventually(async () => expect((await probe('ready')).status).toBe(503));
  expect((await probe('live')).status).toBe(200);
  await system.nats.start();
  await eventually(async () => expect((await probe('ready')).status).toBe(200));
});
