import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@millrace/testkit/eventually';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../../start.js';

let system: System;
beforeAll(async () => {
  system = await startApps([]);
});
afterAll(() => system.close());

it('events of the payment provider are forgotten after 30 days, when the provider no longer repeats them', async () => {
  for (const days of [29, 31]) {
    await system.database.query(
      `INSERT INTO billing.provider_event (provider, id, created_at) VALUES ('stripe', $1, now() - $2 * interval '1 day')`,
      [`evt_${days}`, days],
    );
  }
  await system.start(start);
  await eventually(async () => {
    expect(await system.database.query('SELECT id FROM billing.provider_event')).toEqual([{ id: 'evt_29' }]);
  });
});
