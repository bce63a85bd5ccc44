import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { locateTable, matchChanges, tableChanged, tablesDeleted } from '@millrace/contracts/datasets/table-changes';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Payload } from '@millrace/contracts/kit/event';
import type { Result } from '@millrace/contracts/kit/operation';
import { listNotifications } from '@millrace/contracts/notifications/notifications';
import { notifyTableChange } from '@millrace/contracts/notifications/table-changes';
import {
  getTableFollow,
  setTableFollow,
  setViewFollow,
  unsetTableFollow,
} from '@millrace/contracts/notifications/table-follows';
import { createWebhook, getWebhook, updateWebhook } from '@millrace/contracts/notifications/webhooks';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import { fakeContacts, type FakeContacts } from '../testing/fake-contacts.js';
import { startWebhookSystem, type WebhookSystem } from '../testing/webhook-system.js';

interface FakeTable {
  vault: string;
  space: string;
  public: boolean;
  solution: string;
  /** By view: how many rows match, or why this is unknown. */
  views: Map<string, { new: number; changed: number; problem?: string }>;
}

let system: WebhookSystem;
let datasets: EventSource;
let contacts: FakeContacts;
const tables = new Map<string, FakeTable>();
let requests: { view: string | null }[] = [];

const ROW = { kind: 'new' as const, row: { host: 'a.example', port: 443 } };
const located = (dataset: string, view?: string | null): Result<typeof locateTable>['table'] => {
  const table = tables.get(dataset);
  if (!table || (view != null && !table.views.has(view))) return null;
  const found = view == null ? null : { id: view, name: 'Open ports', solution: table.solution };
  return { dataset, name: 'hosts', space: table.space, public: table.public, view: found };
};

beforeAll(async () => {
  system = await startWebhookSystem();
  datasets = await system.sourceOf('datasets');
  contacts = fakeContacts(await system.fake('auth'));
  const service = await system.fake('datasets');
  service.on(locateTable, ({ body }) => {
    const { vault, dataset, view } = locateTable.body.parse(body);
    const id = dataset ?? [...tables].find(([, { views }]) => view !== undefined && views.has(view))?.[0] ?? '';
    return { table: tables.get(id)?.vault === vault ? located(id, view) : null };
  });
  service.on(matchChanges, ({ body }) => {
    const { dataset, view } = matchChanges.body.parse(body);
    requests.push({ view });
    const matching =
      view === null ? { new: 2, changed: 1 } : (tables.get(dataset)?.views.get(view) ?? { new: 0, changed: 0 });
    return { table: located(dataset, view), ...matching, rows: matching.new > 0 ? [ROW] : [] };
  });
});
afterEach(() => {
  requests = [];
  return system.closeReceivers();
});
afterAll(() => system.close());

/** A table, an owner of its vault, and a user who may only query it. */
function scene() {
  const owner = ownerCaller();
  const [dataset, space, solution, view] = [newId(), newId(), newId(), newId()];
  const views: FakeTable['views'] = new Map([[view, { new: 1, changed: 0 }]]);
  tables.set(dataset, { vault: owner.vault, space, public: false, solution, views });
  const reader = memberCaller(owner, { [space]: 'insights' });
  for (const user of [owner, reader]) contacts.add(user);
  const change: Payload<typeof tableChanged> = {
    ...{
      vault: owner.vault,
      space,
      solution,
      dataset,
      name: 'hosts',
      load: '7',
      generation: '1790000000000',
      run: '42',
    },
    ...{ workflow: newId(), partial: false, new: 2, changed: 1, gone: 3, at: '2026-11-24T03:00:00.000Z' },
  };
  const emit = (changes: Partial<typeof change> = {}) => datasets.emit(tableChanged, { ...change, ...changes });
  const follow = (caller: Caller, body: { email?: boolean; in_app?: boolean } = {}) =>
    system.callAs(caller, setTableFollow, { params: { id: dataset }, body });
  const followView = (caller: Caller, viewId = view) =>
    system.callAs(caller, setViewFollow, { params: { solutionId: solution, viewId }, body: { email: false } });
  return { owner, reader, dataset, space, solution, view, views, change, emit, follow, followView };
}

const listOf = async (caller: Caller) => (await system.callAs(caller, listNotifications)).results;
const titlesOf = async (caller: Caller) => (await listOf(caller)).map(({ title }) => title);
const pending = (dataset: string) =>
  system.database.query("SELECT id FROM notifications.pending_table_change WHERE change->>'dataset' = $1", [dataset]);
/** Waits until so many changes of a table are handled. */
const untilHandled = async (dataset: string, changes: number) => {
  const handled = () =>
    system.database.query(
      `SELECT 1 FROM messaging.inbox i JOIN messaging.outbox o ON o.id = i.event WHERE o.payload->>'dataset' = $1`,
      [dataset],
    );
  await eventually(async () => expect(await handled()).toHaveLength(changes));
  await eventually(async () => expect(await pending(dataset)).toEqual([]));
};

describe('a follower of a table', () => {
  it('is notified of its changes once, in the app and by mail', async () => {
    const { reader, emit, follow, dataset, change } = scene();
    expect(await follow(reader)).toEqual({ dataset, following: true, email: true, in_app: true });
    await emit();
    await eventually(async () => expect(await titlesOf(reader)).toEqual(['hosts: 2 new, 1 changed, 3 gone']));
    const [notification] = await listOf(reader);
    expect(notification).toMatchObject({
      ...{ notification_type: 'MANUAL_RUN_COMPLETED', type: 'TABLE_CHANGED' },
      message: 'Run 42 has changed "hosts": 2 rows are new, 1 row has changed, and 3 rows are gone.',
      metadata: { dataset, run: '42', workflow: change.workflow, new: 2, changed: 1, gone: 3, rows: [ROW] },
    });
    const mails = await system.database.query<{ page: string }>(
      `SELECT page FROM notifications.pending_mail WHERE user_id = $1
       UNION SELECT '/tables/${dataset}' FROM notifications.sent_mail WHERE id = $2`,
      [reader.user, notification?.id],
    );
    expect(mails.map(({ page }) => page)).toEqual([`/tables/${dataset}`]);
    await follow(reader, { in_app: false, email: false });
    await emit({ load: '8' });
    await untilHandled(dataset, 2);
    expect(await titlesOf(reader)).toHaveLength(1);
  });

  it('is notified once if the job runs again, and if it was lost', async () => {
    const { reader, emit, follow, dataset } = scene();
    await follow(reader, { email: false });
    contacts.error = new Error('Auth is restarting');
    await emit();
    await eventually(async () => expect(await pending(dataset)).toHaveLength(1));
    const [{ id } = { id: '' }] = (await pending(dataset)) as { id: string }[];
    const client = new Database({ url: system.database.url, service: 'notifications', connections: 1 });
    await client.transaction((tx) => {
      for (let copy = 0; copy < 3; copy++) tx.enqueue(notifyTableChange, { id });
      return Promise.resolve();
    });
    contacts.error = null;
    await eventually(async () => expect(await pending(dataset)).toEqual([]));
    await client.transaction((tx) => Promise.resolve(tx.enqueue(notifyTableChange, { id })));
    await client.close();
    await emit({ load: '8', new: 1, changed: 0, gone: 0 });
    await eventually(async () =>
      expect(await titlesOf(reader)).toEqual(['hosts: 1 new', 'hosts: 2 new, 1 changed, 3 gone']),
    );
  });

  it.each<[string, (reader: Caller) => void]>([
    ['has left', (reader) => contacts.remove(reader)],
    ['lost the role in the space', (reader) => contacts.add({ ...reader, spaces: {} })],
  ])('who %s is not notified and no longer follows it', async (_, removeAccess) => {
    const { owner, reader, emit, follow, dataset } = scene();
    await follow(reader);
    await follow(owner, { email: false });
    removeAccess(reader);
    await emit();
    await eventually(async () => expect(await titlesOf(owner)).toHaveLength(1));
    const rows = await system.database.query('SELECT 1 FROM notifications.table_follow WHERE dataset_id = $1', [
      dataset,
    ]);
    expect(rows).toHaveLength(1);
    expect(await titlesOf(reader)).toEqual([]);
  });

  it('needs a role in its space, unless its solution is public', async () => {
    const { owner, follow, dataset } = scene();
    const outsider = memberCaller(owner, {});
    contacts.add(outsider);
    await expect(follow(outsider)).rejects.toMatchObject({ code: 'not_found' });
    await expect(follow(ownerCaller())).rejects.toMatchObject({ code: 'not_found' });
    const table = tables.get(dataset);
    if (table) table.public = true;
    expect(await follow(outsider)).toMatchObject({ following: true });
    const get = () => system.callAs(outsider, getTableFollow, { params: { id: dataset } });
    expect(await get()).toMatchObject({ following: true });
    await system.callAs(outsider, unsetTableFollow, { params: { id: dataset } });
    expect(await get()).toEqual({ dataset, following: false, email: false, in_app: false });
  });

  it('no longer follows it when it is deleted, and webhooks for it are disabled', async () => {
    const { owner, reader, dataset, view, follow, followView } = scene();
    await follow(reader);
    await followView(reader);
    const body = { name: 'w', url: 'http://127.0.0.1:9/', events: ['table.changed' as const], dataset, view };
    const { id } = await system.callAs(owner, createWebhook, { body });
    await datasets.emit(tablesDeleted, { vault: owner.vault, datasets: [], views: [view] });
    const follows = () =>
      system.database.query('SELECT target_id FROM notifications.table_follow WHERE dataset_id = $1', [dataset]);
    await eventually(async () => expect(await follows()).toEqual([{ target_id: dataset }]));
    expect(await system.callAs(owner, getWebhook, { params: { id } })).toMatchObject({ enabled: false, dataset, view });
    await datasets.emit(tablesDeleted, { vault: owner.vault, datasets: [dataset], views: [] });
    await eventually(async () => expect(await follows()).toEqual([]));
  });
});

describe('a follower of a view', () => {
  it('is notified only if new or changed rows match it', async () => {
    const { reader, emit, followView, views, view } = scene();
    await followView(reader);
    views.set(view, { new: 0, changed: 0 });
    await emit();
    views.set(view, { new: 1, changed: 2 });
    await emit({ load: '8' });
    await eventually(async () => expect(await titlesOf(reader)).not.toEqual([]));
    const notifications = await listOf(reader);
    const last = notifications[0];
    expect(last?.title).toMatch(/^hosts: 1 new, 2 changed in "Open ports"$/);
    expect(last?.metadata).toMatchObject({
      view,
      view_name: 'Open ports',
      matching_new: 1,
      matching_changed: 2,
      new: 2,
    });
  });

  it('is notified that its query failed', async () => {
    const { reader, emit, followView, views, view } = scene();
    await followView(reader);
    views.set(view, { new: 0, changed: 0, problem: 'q: there is no column "port"' });
    await emit();
    await eventually(async () =>
      expect(await listOf(reader)).toMatchObject([
        {
          title: 'hosts changed; "Open ports" could not be queried',
          message: expect.stringContaining('The query failed: q: there is no column "port"'),
        },
      ]),
    );
  });
});

describe('the webhook event table.changed', () => {
  it('is sent with the counts, the first rows, and links to the table and the run', async () => {
    const { owner, emit, dataset, view, views, change } = scene();
    const receiver = await system.receive();
    const create = (filter: object) =>
      system.callAs(owner, createWebhook, {
        body: { name: 'w', url: receiver.url, events: ['table.changed'], ...filter },
      });
    await create({});
    await create({ dataset, view });
    const other = newId();
    tables.set(other, { vault: owner.vault, space: newId(), public: false, solution: newId(), views: new Map() });
    await create({ dataset: other });
    await create({ workflow: newId() });
    await emit();
    await eventually(() => expect(receiver.received).toHaveLength(2));
    const bodies = receiver.received.map(({ body }) => JSON.parse(body) as { type: string; data: object });
    const byView = new Map(bodies.map(({ data, ...rest }) => [(data as { view?: string }).view, { ...rest, data }]));
    expect(byView.get(undefined)).toEqual({
      ...{ type: 'table.changed', timestamp: change.at },
      data: {
        ...{ dataset, name: 'hosts', solution: change.solution, space: change.space, load: '7', run: '42' },
        ...{ workflow: change.workflow, partial: false, new: 2, changed: 1, gone: 3, rows: [ROW] },
        ...{ changed_date: change.at, url: expect.stringMatching(new RegExp(`/tables/${dataset}$`)) },
        run_url: expect.stringMatching(/\/runs\/42$/),
      },
    });
    expect(byView.get(view)).toMatchObject({ data: { view, matching_new: 1, matching_changed: 0, new: 2 } });
    views.set(view, { new: 0, changed: 0 });
    await emit({ load: '8' });
    await eventually(() => expect(receiver.received).toHaveLength(3));
    await untilHandled(dataset, 2);
    expect(receiver.received).toHaveLength(3);
  });

  it('is not sent if the author of the webhook may no longer query the table', async () => {
    const { owner, emit, dataset } = scene();
    const receiver = await system.receive();
    const body = { name: 'w', url: receiver.url, events: ['table.changed' as const] };
    await system.callAs(owner, createWebhook, { body });
    contacts.remove(owner);
    await emit();
    await untilHandled(dataset, 1);
    expect(receiver.received).toEqual([]);
  });

  it('needs no query of the table without a subscription', async () => {
    const { emit, dataset } = scene();
    await emit();
    const { reader, emit: emitOther, follow } = scene();
    await follow(reader, { email: false });
    await emitOther();
    await eventually(async () => expect(await titlesOf(reader)).toHaveLength(1));
    expect(await pending(dataset)).toEqual([]);
    expect(requests).toEqual([{ view: null }]);
  });

  it('can be limited only to a table and view that exist', async () => {
    const { owner, dataset, view } = scene();
    const body = { name: 'w', url: 'http://127.0.0.1:9/', events: ['table.changed' as const] };
    const create = (filter: object) => system.callAs(owner, createWebhook, { body: { ...body, ...filter } });
    const other = scene();
    for (const [filter, field] of [
      [{ dataset: newId() }, 'body.dataset'],
      [{ dataset: other.dataset }, 'body.dataset'],
      [{ view: newId() }, 'body.view'],
      [{ dataset, view: other.view }, 'body.view'],
    ] as const) {
      await expect(create(filter)).rejects.toMatchObject({ details: { [field]: expect.any(String) } });
    }
    const { id } = await create({ view });
    const update = (changes: object) => system.callAs(owner, updateWebhook, { params: { id }, body: changes });
    expect(await update({ dataset })).toMatchObject({ dataset, view });
    await expect(update({ dataset: other.dataset })).rejects.toMatchObject({ code: 'validation_error' });
    expect(await update({ view: null, dataset: null })).not.toHaveProperty('view');
  });
});
