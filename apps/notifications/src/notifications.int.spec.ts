import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Request } from '@millrace/contracts/kit/operation';
import { listNotifications } from '@millrace/contracts/notifications/notifications';
import { runFinished } from '@millrace/contracts/runs/runs';
import { ownerCaller } from '@millrace/testkit/callers';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from './start.js';
import { runEnd } from './testing/run-end.js';

let system: System;
let runs: EventSource;
beforeAll(async () => {
  system = await startApps([start]);
  runs = await system.sourceOf('runs');
});
afterAll(() => system.close());

const list = (caller: Caller, query: Request<typeof listNotifications>['query'] = {}) =>
  system.askAs(caller, listNotifications, { query });

const untilThere = (caller: Caller, count: number) =>
  eventually(async () => {
    const page = await list(caller);
    expect(page.results).toHaveLength(count);
    return page.results;
  });

describe('a finished run', () => {
  it('makes one notification for its author', async () => {
    const author = ownerCaller();
    const end = runEnd(author);
    await runs.emit(runFinished, end);
    const [notification, ...more] = await untilThere(author, 1);
    expect(more).toEqual([]);
    expect(notification).toMatchObject({
      notification_type: 'MANUAL_RUN_COMPLETED',
      type: 'MANUAL_RUN_COMPLETED',
      title: 'Port scan completed',
      seen: false,
      is_read: false,
      user_id: author.user,
      metadata: { run: '42', workflow: end.workflow, space: end.space, status: 'COMPLETED', duration_ms: 65_000 },
    });
  });

  it('is no news to others of the vault, nor to the same user in another one', async () => {
    const author = ownerCaller();
    await runs.emit(runFinished, runEnd(author));
    await untilThere(author, 1);
    expect((await list({ ...author, user: ownerCaller().user })).count).toBe(0);
    expect((await list({ ...author, vault: ownerCaller().vault })).count).toBe(0);
  });

  it('that was stopped makes none', async () => {
    const author = ownerCaller();
    await runs.emit(runFinished, runEnd(author, { status: 'STOPPED' }));
    await runs.emit(runFinished, runEnd(author, { status: 'FAILED', error: 'exit code 1' }));
    const [only] = await untilThere(author, 1);
    expect(only).toMatchObject({ notification_type: 'RUN_FAILED' });
  });
});

describe('the list of notifications', () => {
  const author = ownerCaller();
  beforeAll(async () => {
    for (const [index, status] of (['COMPLETED', 'FAILED', 'COMPLETED'] as const).entries()) {
      await runs.emit(runFinished, runEnd(author, { status, name: `run ${index}`, run: String(index) }));
      await untilThere(author, index + 1);
    }
    await system.database.query(
      `UPDATE notifications.notification SET seen = true WHERE user_id = $1 AND metadata->>'run' = '0'`,
      [author.user],
    );
  });

  const runsIn = async (query: Request<typeof listNotifications>['query']) =>
    (await list(author, query)).results.map(({ metadata }) => metadata['run']);

  it('shows the newest first, or the oldest', async () => {
    expect(await runsIn({})).toEqual(['2', '1', '0']);
    expect(await runsIn({ ordering: 'created_date' })).toEqual(['0', '1', '2']);
  });

  it('keeps to those seen or not, of one type, or with a text in them', async () => {
    expect(await runsIn({ seen: 'true' })).toEqual(['0']);
    expect(await runsIn({ seen: 'false' })).toEqual(['2', '1']);
    expect(await runsIn({ notification_type: 'RUN_FAILED' })).toEqual(['1']);
    expect(await runsIn({ search: 'RUN 2' })).toEqual(['2']);
    expect(await runsIn({ search: '%' })).toEqual([]);
  });

  it('comes in pages that count all', async () => {
    const page = await list(author, { page: 2, page_size: 2 });
    expect(page.count).toBe(3);
    expect(page.results.map(({ metadata }) => metadata['run'])).toEqual(['0']);
  });
});
