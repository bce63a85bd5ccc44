import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeVault } from '@millrace/contracts/auth/vaults';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Payload } from '@millrace/contracts/kit/event';
import { listNotifications } from '@millrace/contracts/notifications/notifications';
import { moduleReleased } from '@millrace/contracts/workflows/library';
import { snapshotPublished } from '@millrace/contracts/workflows/snapshots';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import type { FakeService } from '@millrace/testkit/fake-service';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';

let system: System;
let workflows: EventSource;
let auth: FakeService;
/** Users by vault. */
const users = new Map<string, string[]>();
let requests = 0;
beforeAll(async () => {
  system = await startApps([start]);
  workflows = await system.sourceOf('workflows');
  auth = await system.fake('auth');
  auth.on(describeVault, ({ body }) => {
    requests += 1;
    const found = users.get((body as { vault: string }).vault);
    if (!found) throw new NotFoundError('The vault');
    return { name: 'V', users: found };
  });
});
afterAll(() => system.close());

function vaultOf(number: number) {
  const callers = Array.from({ length: number }, () => ownerCaller());
  const [author = ownerCaller()] = callers;
  const { vault } = author;
  const members = callers.map((caller) => ({ ...caller, vault }));
  users.set(
    vault,
    members.map(({ user }) => user),
  );
  return { vault, author, members };
}

const all = (vault: string) =>
  system.database.query<{ user_id: string; type: string }>(
    'SELECT user_id, type FROM notifications.notification WHERE vault_id = $1 ORDER BY created_at, id',
    [vault],
  );

const published = (vault: string, author: string, more: object = {}): Payload<typeof snapshotPublished> => ({
  ...{ snapshot: newId(), name: 'Release', vault, space: newId(), workflow: newId(), workflowName: 'Scan' },
  ...{ version: newId(), author, at: new Date().toISOString(), ...more },
});

it('a published snapshot notifies each user of the vault except its author once', async () => {
  const { vault, author, members } = vaultOf(4);
  const event = published(vault, author.user);
  await workflows.emit(snapshotPublished, event);
  await eventually(async () => expect(await all(vault)).toHaveLength(3));
  const [, reader = author] = members;
  const { results, count } = await system.callAs(reader, listNotifications);
  expect(count).toBe(1);
  expect(results[0]).toMatchObject({
    notification_type: 'WORKFLOW_RELEASED',
    title: 'Release was published',
    message: '"Release", a version of the workflow "Scan", is in the library.',
    user_id: reader.user,
    metadata: {
      snapshot: event.snapshot,
      workflow: event.workflow,
      version: event.version,
      space: event.space,
      author: author.user,
    },
  });
  expect((await system.callAs(author, listNotifications)).count).toBe(0);
});

it('each type of module has its own notification', async () => {
  const { vault, author, members } = vaultOf(2);
  const [, reader = author] = members;
  const release = (type: 'TOOL' | 'SCRIPT' | 'MODULE', number: number) =>
    workflows.emit(moduleReleased, {
      module: newId(),
      type,
      name: type.toLowerCase(),
      vault,
      number,
      author: author.user,
      at: new Date().toISOString(),
    });
  await release('TOOL', 1);
  await release('SCRIPT', 3);
  await release('MODULE', 1);
  const results = await eventually(async () => {
    const page = await system.callAs(reader, listNotifications);
    expect(page.results).toHaveLength(3);
    return page.results;
  });
  const contents = results.map(({ type, title, message }) => [type, title, message]).sort();
  expect(contents).toEqual([
    ['SCRIPT_RELEASED', 'script has a new version', 'Version 3 of the script "script" is in the library.'],
    ['TOOL_RELEASED', 'New tool: tool', 'The tool "tool" is new in the library.'],
    ['WORKFLOW_RELEASED', 'New module: module', 'The module "module" is new in the library.'],
  ]);
});

it('a release in a deleted vault notifies no user and blocks no other event', async () => {
  const { vault, author } = vaultOf(2);
  const before = requests;
  await workflows.emit(snapshotPublished, published(newId(), author.user));
  await workflows.emit(snapshotPublished, published(vault, author.user));
  await eventually(async () => expect(await all(vault)).toHaveLength(1));
  expect(requests).toBeGreaterThan(before + 1);
});

it('a release is notified once, even with two copies of the service and an outage of auth', async () => {
  const copy = await system.start(start);
  const { vault, author, members } = vaultOf(3);
  auth.on(describeVault, () => {
    throw new Error('Auth is restarting');
  });
  const releases = Array.from({ length: 10 }, () => published(vault, author.user));
  for (const release of releases) await workflows.emit(snapshotPublished, release);
  auth.on(describeVault, () => ({ name: 'V', users: members.map(({ user }) => user) }));
  await eventually(async () => expect(await all(vault)).toHaveLength(20));
  await copy.close();
  expect(await all(vault)).toHaveLength(20);
});
