import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '@millrace/persistence/ids';
import { eventually } from '@millrace/testkit/eventually';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from './start.js';

let system: System;
beforeAll(async () => {
  system = await startApps([]);
});
afterAll(() => system.close());

const user = newId();
const vault = newId();
/** By table: for how many days a row is kept, the column of its time, and its other columns as SQL values. */
const KINDS: Record<string, { days: number; time: string; columns: string; values: string }> = {
  notification: {
    ...{ days: 7, time: 'created_at', columns: 'vault_id, user_id, seq, type, title, message, metadata' },
    values: `'${vault}', '${user}', $3, 't', 't', 'm', '{}'`,
  },
  pending_mail: {
    ...{ days: 2, time: 'created_at', columns: 'vault_id, user_id, title, message, page' },
    values: `'${vault}', '${user}', 't', 'm', '/' || $3::int`,
  },
  sent_mail: {
    days: 30,
    time: 'sent_at',
    columns: 'lease',
    values: 'CASE WHEN $3::int > 0 THEN gen_random_uuid() END',
  },
  pending_table_change: {
    ...{ days: 2, time: 'created_at', columns: 'change' },
    values: `jsonb_build_object('n', $3::int)`,
  },
};

it('each kind of record is deleted after its time, and younger ones stay', async () => {
  const kept = new Map<string, string>();
  for (const [table, { days, time, columns, values }] of Object.entries(KINDS)) {
    for (const [at, age] of [days * 24 - 1, days * 24 + 1].entries()) {
      const id = newId();
      if (at === 0) kept.set(table, id);
      await system.database.query(
        `INSERT INTO notifications.${table} (id, ${time}, ${columns}) VALUES ($1, now() - $2 * interval '1 hour', ${values})`,
        [id, age, at + 1],
      );
    }
  }
  await system.start(start, { NOTIFICATION_RETENTION_DAYS: '7' });
  await eventually(async () => {
    for (const [table, id] of kept) {
      expect(await system.database.query(`SELECT id FROM notifications.${table}`)).toEqual([{ id }]);
    }
  });
});
