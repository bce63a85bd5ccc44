import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { memberLeft } from '@millrace/contracts/auth/members';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { setFollow } from '@millrace/contracts/notifications/follows';
import { updateNotificationConfig } from '@millrace/contracts/notifications/notification-config';
import { listNotifications } from '@millrace/contracts/notifications/notifications';
import { runFinished } from '@millrace/contracts/runs/runs';
import { locateWorkflow } from '@millrace/contracts/workflows/workflows';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { runEnd } from '../testing/run-end.js';

/** All tables with data of one user. */
const TABLES = [
  ...['notification', 'notification_feed', 'notification_preference'],
  ...['follow', 'table_follow', 'paused_address', 'pending_mail'],
];

let system: System;
beforeAll(async () => {
  system = await startApps([start]);
  (await system.fake('workflows')).on(locateWorkflow, ({ body }) => ({
    id: (body as { workflow: string }).workflow,
    space: newId(),
  }));
});
afterAll(() => system.close());

/** Number of a user's rows in each table. */
async function countRows({ user }: Caller): Promise<number[]> {
  const counts = TABLES.map((table) =>
    system.database.query<{ n: number }>(`SELECT count(*)::int AS n FROM notifications.${table} WHERE user_id = $1`, [
      user,
    ]),
  );
  return (await Promise.all(counts)).map(([row]) => row?.n ?? 0);
}

it('all data of a user who has left is deleted, and that of others is kept', async () => {
  const remaining = ownerCaller();
  const leaving = ownerCaller({ vault: remaining.vault });
  const runs = await system.sourceOf('runs');
  const workflow = newId();
  for (const caller of [remaining, leaving]) {
    await runs.emit(runFinished, runEnd(caller));
    await eventually(async () => expect((await system.callAs(caller, listNotifications)).count).toBe(1));
    await system.callAs(caller, setFollow, { params: { id: workflow } });
    await system.callAs(caller, updateNotificationConfig, { body: { config: '{}' } });
    await system.database.query(
      `INSERT INTO notifications.paused_address (user_id, address_hash, reason) VALUES ($1, 'hash', '550')`,
      [caller.user],
    );
    await system.database.query(
      `INSERT INTO notifications.pending_mail (id, vault_id, user_id, title, message, page)
       VALUES ($1, $2, $3, 'a', 'b', '/')`,
      [newId(), caller.vault, caller.user],
    );
    await system.database.query(
      `INSERT INTO notifications.table_follow (vault_id, user_id, target_id, dataset_id, email, in_app)
       VALUES ($1, $2, $3, $3, true, true)`,
      [caller.vault, caller.user, newId()],
    );
  }
  const all = TABLES.map(() => 1);
  expect([await countRows(remaining), await countRows(leaving)]).toEqual([all, all]);
  await (await system.sourceOf('auth')).emit(memberLeft, { vault: leaving.vault, user: leaving.user });
  await eventually(async () => expect(await countRows(leaving)).toEqual(TABLES.map(() => 0)));
  expect(await countRows(remaining)).toEqual(all);
});

it('the test covers all tables with data of a user', async () => {
  const rows = await system.database.query<{ table_name: string }>(
    `SELECT table_name FROM information_schema.columns WHERE table_schema = 'notifications' AND column_name = 'user_id'`,
  );
  expect(rows.map(({ table_name }) => table_name).toSorted()).toEqual(TABLES.toSorted());
});
