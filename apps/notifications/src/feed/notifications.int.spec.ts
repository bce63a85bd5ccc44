import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Request } from '@millrace/contracts/kit/operation';
import {
  clearNotifications,
  deleteNotification,
  listNotifications,
  markNotifications,
  updateNotification,
} from '@millrace/contracts/notifications/notifications';
import { runFinished } from '@millrace/contracts/runs/runs';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { runEnd } from '../testing/run-end.js';

let system: System;
let runs: EventSource;
beforeAll(async () => {
  system = await startApps([start]);
  runs = await system.sourceOf('runs');
});
afterAll(() => system.close());

const list = (caller: Caller, query: Request<typeof listNotifications>['query'] = {}) =>
  system.callAs(caller, listNotifications, { query });

const untilThere = (caller: Caller, count: number) =>
  eventually(async () => {
    const page = await list(caller);
    expect(page.results).toHaveLength(count);
    return page.results;
  });

describe('a finished run', () => {
  it('causes one notification for its author', async () => {
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

  it('causes none for other users of the vault, nor for the same user in another vault', async () => {
    const author = ownerCaller();
    await runs.emit(runFinished, runEnd(author));
    await untilThere(author, 1);
    expect((await list({ ...author, user: ownerCaller().user })).count).toBe(0);
    expect((await list({ ...author, vault: ownerCaller().vault })).count).toBe(0);
  });

  it('that was stopped causes none', async () => {
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

  it('is filtered by seen, by type and by text', async () => {
    expect(await runsIn({ seen: 'true' })).toEqual(['0']);
    expect(await runsIn({ seen: 'false' })).toEqual(['2', '1']);
    expect(await runsIn({ notification_type: 'RUN_FAILED' })).toEqual(['1']);
    expect(await runsIn({ search: 'RUN 2' })).toEqual(['2']);
    expect(await runsIn({ search: '%' })).toEqual([]);
  });

  it('has pages with the total count', async () => {
    const page = await list(author, { page: 2, page_size: 2 });
    expect(page.count).toBe(3);
    expect(page.results.map(({ metadata }) => metadata['run'])).toEqual(['0']);
  });
});

/** A user with four notifications, the last of which is a failure, and another user of the vault with one. */
async function scene() {
  const author = ownerCaller();
  const other = ownerCaller({ vault: author.vault });
  for (const [index, status] of (['COMPLETED', 'COMPLETED', 'COMPLETED', 'FAILED'] as const).entries()) {
    await runs.emit(runFinished, runEnd(author, { status, run: String(index) }));
  }
  await runs.emit(runFinished, runEnd(other));
  const rows = await untilThere(author, 4);
  await untilThere(other, 1);
  const idOf = (run: string) => rows.find(({ metadata }) => metadata['run'] === run)?.id ?? '';
  const mark = (body: Request<typeof markNotifications>['body'], options = {}) =>
    system.callAs(author, markNotifications, { body }, options);
  const remaining = async () => {
    const { results, unseen_count } = await list(author, { ordering: 'created_date' });
    return {
      runs: results.map(({ metadata, seen }) => `${String(metadata['run'])}${seen ? ' seen' : ''}`),
      unseen_count,
    };
  };
  const untouched = async () => expect(await list(other)).toMatchObject({ count: 1, unseen_count: 1 });
  return { author, other, idOf, mark, remaining, untouched };
}

describe('one notification', () => {
  it('is marked as seen, and as not seen', async () => {
    const { author, idOf, remaining } = await scene();
    const params = { id: idOf('1') };
    const seen = await system.callAs(author, updateNotification, { params, body: { seen: true } });
    expect(seen).toMatchObject({ id: params.id, seen: true, is_read: true });
    expect(await remaining()).toEqual({ runs: ['0', '1 seen', '2', '3'], unseen_count: 3 });
    expect(await system.callAs(author, updateNotification, { params })).toEqual(seen);
    await system.callAs(author, updateNotification, { params, body: { seen: false } });
    expect((await remaining()).unseen_count).toBe(4);
  });

  it('is deleted once', async () => {
    const { author, idOf, remaining } = await scene();
    const params = { id: idOf('1') };
    expect(await system.callAs(author, deleteNotification, { params })).toEqual({ success: true });
    expect(await remaining()).toEqual({ runs: ['0', '2', '3'], unseen_count: 3 });
    await expect(system.callAs(author, deleteNotification, { params })).rejects.toMatchObject({ code: 'not_found' });
    await expect(system.callAs(author, updateNotification, { params })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('of another user, of another vault or with an unknown id does not exist', async () => {
    const { author, other, idOf, remaining } = await scene();
    const id = idOf('1');
    for (const [caller, wrongId] of [
      [other, id],
      [{ ...author, vault: newId() }, id],
      [author, newId()],
      [author, 'no id'],
    ] as const) {
      const params = { id: wrongId };
      const requests = [
        system.callAs(caller, updateNotification, { params, body: { seen: true } }),
        system.callAs(caller, deleteNotification, { params }),
      ];
      for (const request of requests) await expect(request).rejects.toMatchObject({ code: 'not_found' });
    }
    expect((await remaining()).unseen_count).toBe(4);
  });
});

describe('many notifications', () => {
  it('are marked as seen by id, by type, and all together', async () => {
    const { other, idOf, mark, remaining, untouched } = await scene();
    const foreign = (await list(other)).results.map(({ id }) => id);
    const ids = [idOf('0'), idOf('1'), newId(), 'no id', ...foreign];
    expect(await mark({ ids, notification_type: 'RUN_FAILED' })).toEqual({ success: true, updated: 0 });
    expect(await mark({ ids })).toEqual({ success: true, updated: 2 });
    expect(await mark({ ids: [] })).toEqual({ success: true, updated: 0 });
    expect(await remaining()).toEqual({ runs: ['0 seen', '1 seen', '2', '3'], unseen_count: 2 });
    expect(await mark({ notification_type: 'RUN_FAILED' })).toEqual({ success: true, updated: 1 });
    expect(await mark({})).toEqual({ success: true, updated: 1 });
    expect((await remaining()).unseen_count).toBe(0);
    await untouched();
  });

  it('are marked once for repeated requests with the same idempotency key', async () => {
    const { idOf, mark } = await scene();
    const again = () => mark({ ids: [idOf('0')] }, { idempotencyKey: 'mark' });
    expect(await again()).toEqual({ success: true, updated: 1 });
    expect(await again()).toEqual({ success: true, updated: 1 });
    expect(await mark({ ids: [idOf('0')] })).toEqual({ success: true, updated: 0 });
  });

  it('are deleted if seen, by type, and all together', async () => {
    const { author, idOf, mark, remaining, untouched } = await scene();
    const clear = (query: Request<typeof clearNotifications>['query'] = {}) =>
      system.callAs(author, clearNotifications, { query });
    await mark({ ids: [idOf('0')] });
    expect(await clear({ seen: 'true', notification_type: 'RUN_FAILED' })).toEqual({ success: true, deleted: 0 });
    expect(await clear({ seen: 'true' })).toEqual({ success: true, deleted: 1 });
    expect(await clear({ notification_type: 'RUN_FAILED' })).toEqual({ success: true, deleted: 1 });
    expect(await remaining()).toEqual({ runs: ['1', '2'], unseen_count: 2 });
    expect(await clear()).toEqual({ success: true, deleted: 2 });
    await untouched();
  });
});
