import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { healthChecks } from '@millrace/contracts/kit/health';
import { ownerCaller } from '@millrace/testkit/callers';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from './start.js';
import { seedDataset } from './testing/seed-dataset.js';

let system: SystemWithStore;
beforeAll(async () => {
  system = await startWithStore([start]);
});
afterAll(() => system.close());

it('the datasets service starts and reports that its dependencies respond', async () => {
  await expect(system.callAs(null, healthChecks.datasets)).resolves.toMatchObject({
    status: 'ok',
    checks: { disk: 'ok', postgres: 'ok', redis: 'ok', nats: 'ok', storage: 'ok' },
  });
});

it('a Live Table has its rows in a physical table with numbered columns', async () => {
  const { number } = await seedDataset(system.database, ownerCaller(), {
    columns: [
      ['host', 'text'],
      ['__proto__', 'json'],
    ],
    key: ['host'],
  });
  await system.database.query(`INSERT INTO live.d_${number} (_s, _f, c1, c2) VALUES (0, 1, 'a', '[1]')`);
  expect(await system.database.query(`SELECT c1, c2 FROM live.d_${number}`)).toEqual([{ c1: 'a', c2: [1] }]);
});
