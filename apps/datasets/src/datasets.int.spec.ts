import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { healthChecks } from '@millrace/contracts/kit/health';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from './start.js';

let system: System;
beforeAll(async () => {
  system = await startApps([start]);
});
afterAll(() => system.close());

it('boots, and says that all it depends on answers', async () => {
  await expect(system.askAs(null, healthChecks.datasets)).resolves.toEqual({
    status: 'ok',
    checks: { postgres: 'ok', redis: 'ok', nats: 'ok' },
  });
});
