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
/** By vault, its users. */
const users = new Map<string, string[]>();
let asked = 0;
beforeAll(async () => {
  system = await startApps([start]);
  workflows = await system.sourceOf('workflows');
  auth = await system.play('auth');
  auth.on(describeVault, ({ body }) => {
    asked += 1;
    const found = users.get((body as { vault: string }).vault);
    if (!found) throw new NotFoundError('Vault');
    return { name: 'V', users: found };
  });
});
afterAll(() => system.close());

function vaultOf(number: number) {
  const callers = Array.from({ length: number }, () => ownerCaller());
  const [author = ownerCaller()] = callers;
  const { vault } = author;
  const people = callers.map((caller) => ({ ...caller, vault }));
  users.set(
    vault,
    people.map(({ user }) => user),
  );
  return { vault, author, people };
}

const all = (vault: string) =>
  system.database.query<{ user_id: string; type: string }>(
    'SELECT user_id, type FROM notifications.notification WHERE vault_id = $1 ORDER BY created_at, id',
    [vault],
  );

const published = (vault: string, author: string, more: object = {}): Payload<typeof snapshotPublished> => ({
  ...{ snapshot: newId(), name: 'Release', vault, space: newId(), workflow: newId(), workflowName: 'Scan' },
  ...{ version: newId(), author, ...more },
});

it('a published snapshot is told once to everybody in the vault but its author', async () => {
  const { vault, author, people } = vaultOf(4);
  const told = published(vault, author.user);
  await workflows.emit(snapshotPublished, told);
  await eventually(async () => expect(await all(vault)).toHaveLength(3));
  const [, reader = author] = people;
  const { results, count } = await system.callAs(reader, listNotifications);
  expect(count).toBe(1);
  expect(results[0]).toMatchObject({
    notification_type: 'WORKFLOW_RELEASED',
    title: 'Release was published',
    message: '"Release", a version of the workflow "Scan", is in the library',
    user_id: reader.user,
    metadata: {
      snapshot: told.snapshot,
      workflow: told.workflow,
      version: told.version,
      space: told.space,
      author: author.user,
    },
  });
  expect((await system.callAs(author, listNotifications)).count).toBe(0);
});

it('each type of module has its own notification', async () => {
  const { vault, author, people } = vaultOf(2);
  const [, reader = author] = people;
  const release = (type: 'TOOL' | 'SCRIPT' | 'MODULE', number: number) =>
    workflows.emit(moduleReleased, {
      module: newId(),
      type,
      name: type.toLowerCase(),
      vault,
      number,
      author: author.user,
    });
  await release('TOOL', 1);
  await release('SCRIPT', 3);
  await release('MODULE', 1);
  const results = await eventually(async () => {
    const page = await system.callAs(reader, listNotifications);
    expect(page.results).toHaveLength(3);
    return page.results;
  });
  const said = results.map(({ type, title, message }) => [type, title, message]).sort();
  expect(said).toEqual([
    ['SCRIPT_RELEASED', 'script has a new version', 'The script "script" is in the library, version 3'],
    ['TOOL_RELEASED', 'New tool: tool', 'The tool "tool" is in the library'],
    ['WORKFLOW_RELEASED', 'New module: module', 'The module "module" is in the library'],
  ]);
});

it('a release in a vault that is gone tells nobody and holds up nothing', async () => {
  const { vault, author } = vaultOf(2);
  const before = asked;
  await workflows.emit(snapshotPublished, published(newId(), author.user));
  await workflows.emit(snapshotPublished, published(vault, author.user));
  await eventually(async () => expect(await all(vault)).toHaveLength(1));
  expect(asked).toBeGreaterThan(before + 1);
});

it('what is heard by two copies of the service, or while auth does not answer, is told once', async () => {
  const copy = await system.start(start);
  const { vault, author, people } = vaultOf(3);
  auth.on(describeVault, () => {
    throw new Error('is being restarted');
  });
  const releases = Array.from({ length: 10 }, () => published(vault, author.user));
  for (const one of releases) await workflows.emit(snapshotPublished, one);
  auth.on(describeVault, () => ({ name: 'V', users: people.map(({ user }) => user) }));
  await eventually(async () => expect(await all(vault)).toHaveLength(20));
  await copy.close();
  expect(await all(vault)).toHaveLength(20);
});
