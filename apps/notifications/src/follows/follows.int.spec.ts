import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { getFollow, setFollow, unsetFollow } from '@millrace/contracts/notifications/follows';
import { listNotifications } from '@millrace/contracts/notifications/notifications';
import { runFinished } from '@millrace/contracts/runs/runs';
import { locateWorkflow, workflowDeleted } from '@millrace/contracts/workflows/workflows';
import { newId } from '@millrace/persistence/ids';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { fakeContacts, type FakeContacts } from '../testing/fake-contacts.js';
import { runEnd } from '../testing/run-end.js';

let system: System;
let runs: EventSource;
let contacts: FakeContacts;
/** Space and vault by workflow. */
const workflows = new Map<string, { space: string; vault: string }>();
/** Workflows that are deleted right after their next lookup. */
const deleting = new Set<string>();
beforeAll(async () => {
  system = await startApps([start, start]);
  runs = await system.sourceOf('runs');
  contacts = fakeContacts(await system.fake('auth'));
  (await system.fake('workflows')).on(locateWorkflow, ({ body, caller }) => {
    const { workflow } = body as { workflow: string };
    const found = workflows.get(workflow);
    if (deleting.has(workflow)) workflows.delete(workflow);
    if (!found || found.vault !== caller?.vault) throw new NotFoundError(`Workflow ${workflow}`);
    return { id: workflow, space: found.space };
  });
});
afterAll(() => system.close());

/** A workflow, its author, and a user who may see it. */
function scene() {
  const author = ownerCaller();
  const [workflow, space] = [newId(), newId()];
  workflows.set(workflow, { space, vault: author.vault });
  const reader = memberCaller(author, { [space]: 'read' });
  contacts.add(author, 'Ada');
  contacts.add(reader, 'Bob');
  const end = (changes: Parameters<typeof runEnd>[1] = {}) =>
    runs.emit(runFinished, runEnd(author, { workflow, space, ...changes }));
  return { author, workflow, space, reader, end };
}

const follow = (caller: Caller, id: string) => system.callAs(caller, setFollow, { params: { id } });
const isFollowing = async (caller: Caller, id: string) =>
  (await system.callAs(caller, getFollow, { params: { id } })).following;
const titlesOf = async (caller: Caller) =>
  (await system.callAs(caller, listNotifications)).results.map(({ title }) => title);
const untilNotified = (caller: Caller, titles: string[]) =>
  eventually(async () => expect(await titlesOf(caller)).toEqual(titles));
const followersOf = (workflow: string) =>
  system.database.query('SELECT user_id FROM notifications.follow WHERE workflow_id = $1', [workflow]);

it('a workflow that is deleted while a user begins to follow it has no follower', async () => {
  const { workflow, reader } = scene();
  deleting.add(workflow);
  await expect(follow(reader, workflow)).rejects.toMatchObject({ code: 'not_found' });
  expect(await followersOf(workflow)).toEqual([]);
});

describe('the runs of others', () => {
  it('cause no notification', async () => {
    const { author, reader, end } = scene();
    await end();
    await untilNotified(author, ['Port scan completed']);
    expect(await titlesOf(reader)).toEqual([]);
  });

  it('are notified to followers of the workflow with the name of the author, until they unfollow it', async () => {
    const { author, workflow, reader, end } = scene();
    expect(await isFollowing(reader, workflow)).toBe(false);
    expect(await follow(reader, workflow)).toEqual({ workflow, following: true });
    expect(await follow(reader, workflow)).toEqual({ workflow, following: true });
    await end();
    await untilNotified(reader, ['Port scan completed (run of Ada)']);
    await end({ status: 'FAILED', creationType: 'SCHEDULED' });
    await untilNotified(reader, ['Port scan failed (run of Ada)', 'Port scan completed (run of Ada)']);
    expect(await titlesOf(author)).toEqual(['Port scan failed', 'Port scan completed']);
    const params = { id: workflow };
    expect(await system.callAs(reader, unsetFollow, { params })).toEqual({ workflow, following: false });
    expect(await system.callAs(reader, unsetFollow, { params })).toEqual({ workflow, following: false });
    expect(await isFollowing(reader, workflow)).toBe(false);
    await end();
    await eventually(async () => expect(await titlesOf(author)).toHaveLength(3));
    expect(await titlesOf(reader)).toHaveLength(2);
  });

  it('are notified once to an author who follows their own workflow', async () => {
    const { author, workflow, reader, end } = scene();
    await follow(author, workflow);
    await follow(reader, workflow);
    await end();
    await untilNotified(reader, ['Port scan completed (run of Ada)']);
    expect(await titlesOf(author)).toEqual(['Port scan completed']);
  });

  it('that another user stopped are notified to their author and followers, but not to that user', async () => {
    const { author, workflow, space, reader, end } = scene();
    const other = memberCaller(author, { [space]: 'write' });
    contacts.add(other, 'Cora');
    await follow(reader, workflow);
    await follow(other, workflow);
    await end({ status: 'STOPPED', stoppedBy: author.user });
    await end({ status: 'STOPPED', stoppedBy: other.user });
    await untilNotified(author, ['Port scan was stopped by Cora']);
    await untilNotified(reader, ['Port scan was stopped by Cora (run of Ada)']);
    expect(await titlesOf(other)).toEqual([]);
  });

  it('are still notified after their author has left', async () => {
    const { author, workflow, reader, end } = scene();
    await follow(reader, workflow);
    contacts.remove(author);
    await end();
    await untilNotified(reader, ['Port scan completed (run of a former member)']);
  });

  it.each<[string, (reader: Caller, space: string) => void]>([
    ['has left', (reader) => contacts.remove(reader)],
    ['lost the role in the space', (reader) => contacts.add({ ...reader, spaces: {} })],
    ['sees only results', (reader, space) => contacts.add({ ...reader, spaces: { [space]: 'insights' } })],
  ])('are not notified to a follower who %s, and the follow is deleted', async (_, removeAccess) => {
    const { author, workflow, space, reader, end } = scene();
    await follow(reader, workflow);
    removeAccess(reader, space);
    await end();
    await eventually(async () => expect(await followersOf(workflow)).toEqual([]));
    await untilNotified(author, ['Port scan completed']);
    expect(await titlesOf(reader)).toEqual([]);
  });

  it('are notified once, even if auth did not respond for a while', async () => {
    const { workflow, reader, end } = scene();
    await follow(reader, workflow);
    contacts.error = new Error('Auth is restarting');
    const before = contacts.requests();
    for (let number = 0; number < 5; number++) await end();
    await eventually(() => expect(contacts.requests()).toBeGreaterThan(before));
    contacts.error = null;
    await eventually(async () => expect(await titlesOf(reader)).toHaveLength(5));
  });

  it('cause no request to auth without followers', async () => {
    const { author, end } = scene();
    const before = contacts.requests();
    // A failed run would be mailed, which causes a request.
    await end();
    await untilNotified(author, ['Port scan completed']);
    expect(contacts.requests()).toBe(before);
  });
});

describe('following', () => {
  it('requires a role in the space of the workflow', async () => {
    const { author, workflow, space } = scene();
    const insights = memberCaller(author, { [space]: 'insights' });
    await expect(follow(insights, workflow)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(follow(memberCaller(author, {}), workflow)).rejects.toMatchObject({ code: 'not_found' });
    await expect(follow(ownerCaller(), workflow)).rejects.toMatchObject({ code: 'not_found' });
    await expect(follow(author, newId())).rejects.toMatchObject({ code: 'not_found' });
    expect(await followersOf(workflow)).toEqual([]);
  });

  it('ends with the workflow', async () => {
    const { author, workflow, reader } = scene();
    await follow(reader, workflow);
    const source = await system.sourceOf('workflows');
    await source.emit(workflowDeleted, { vault: author.vault, workflow });
    await eventually(async () => expect(await followersOf(workflow)).toEqual([]));
  });
});
