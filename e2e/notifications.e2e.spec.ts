import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  follows,
  library,
  notificationConfig,
  notifications,
  roles,
  snapshots,
  versions,
} from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { followNotifications } from './support/follow-notifications.js';
import { invite } from './support/invite.js';
import { readMail } from './support/read-mail.js';
import { makeWorkflow, runToEnd, script, startRun, waitForEnd } from './support/run-workflow.js';
import { rawRequest, signUp, type Account } from './support/sign-up.js';

const SUCCEEDING = { nodes: { 'only-1': script('echo') } };
const FAILING = { nodes: { 'only-1': script('exit 3') } };

let owner: Account;
let guest: Account;
beforeAll(async () => {
  owner = await signUp();
  guest = await invite(owner);
});

const list = async ({ client }: Account) => (await client.call(notifications.listNotifications)).results;
const waitForNotification = (user: Account, title: RegExp) =>
  eventually(async () => {
    const found = (await list(user)).find((one) => title.test(one.title));
    expect(found).toBeDefined();
    return found;
  });

describe('a notification', () => {
  it('of each type arrives when its event happens', async () => {
    const [done, failed] = [await runToEnd(owner, SUCCEEDING), await runToEnd(owner, FAILING)];
    const types = async () =>
      (await list(owner)).map(({ notification_type: type, metadata }) => [type, metadata['run']]);
    await eventually(async () =>
      expect(await types()).toEqual(
        expect.arrayContaining([
          ['MANUAL_RUN_COMPLETED', done.id],
          ['RUN_FAILED', failed.id],
        ]),
      ),
    );
    const { results } = await owner.client.call(versions.listVersions, { params: { id: done.workflow_info } });
    const body = { workflow_version_info: results[0]?.id ?? '', name: 'Released' };
    await owner.client.call(snapshots.createSnapshot, { params: { id: done.workflow_info }, body });
    expect(await waitForNotification(guest, /^Released/)).toMatchObject({ notification_type: 'WORKFLOW_RELEASED' });
    const tool = { name: 'Sharp', type: 'TOOL' as const, container: { command: 'echo' } };
    const { id } = await owner.client.call(library.createModule, { body: tool });
    expect(await waitForNotification(guest, /^New tool: Sharp/)).toMatchObject({ notification_type: 'TOOL_RELEASED' });
    const next = { container: { command: 'cat' } };
    await owner.client.call(library.createModuleVersion, { params: { id }, body: next });
    await waitForNotification(guest, /^Sharp has a new version/);
    await owner.client.call(library.createModule, { body: { name: 'Deft', script: { source: 'echo' } } });
    expect(await waitForNotification(guest, /^New script: Deft/)).toMatchObject({
      notification_type: 'SCRIPT_RELEASED',
    });
  });

  it('of a failed run is mailed, with a link to the run', async () => {
    const run = await runToEnd(owner, FAILING);
    const mail = await readMail(owner.email, new RegExp(`${run.workflow_name} failed`));
    expect(mail.link?.pathname).toBe(`/runs/${run.id}`);
  });

  it('of a release is mailed to users who enabled it, with a link to the release', async () => {
    const config = JSON.stringify({ WORKFLOW_RELEASED: { email: true }, TOOL_RELEASED: { email: true } });
    await rawRequest(guest, 'PUT', '/api/notification-config', { body: JSON.stringify({ config }) });
    const workflow = await makeWorkflow(owner, SUCCEEDING);
    const { results } = await owner.client.call(versions.listVersions, { params: { id: workflow } });
    const snapshot = { workflow_version_info: results[0]?.id ?? '', name: 'Mailed workflow' };
    const published = await owner.client.call(snapshots.createSnapshot, { params: { id: workflow }, body: snapshot });
    const tool = { name: 'Mailed tool', type: 'TOOL' as const, container: { command: 'echo' } };
    const { id } = await owner.client.call(library.createModule, { body: tool });
    for (const [name, path] of [
      [snapshot.name, `/library/workflows/${published.id}`],
      [tool.name, `/library/modules/${id}`],
    ] as const) {
      expect((await readMail(guest.email, new RegExp(name))).link?.pathname).toBe(path);
    }
  });

  it("of another user's run arrives at users who follow its workflow and may read it", async () => {
    const workflow = await makeWorkflow(owner, SUCCEEDING);
    const params = { id: workflow };
    await expect(guest.client.call(follows.setFollow, { params })).rejects.toMatchObject({ code: 'not_found' });
    const inSpace = { spaceId: owner.space, id: guest.user };
    await owner.client.call(roles.setUserSpaceRole, { params: inSpace, body: { role: 'read' } });
    await eventually(() => guest.client.call(follows.setFollow, { params }));
    expect(await guest.client.call(follows.getFollow, { params })).toEqual({ workflow, following: true });
    const run = async () => {
      const response = await rawRequest(owner, 'POST', `/api/workflows/${workflow}/runs`, { body: '{}' });
      const { id } = response.body as { id: string };
      await waitForEnd(owner.client, id);
      await eventually(async () =>
        expect((await list(owner)).some(({ metadata }) => metadata['run'] === id)).toBe(true),
      );
      return id;
    };
    const seen = await run();
    const found = (await list(guest)).find(({ metadata }) => metadata['run'] === seen);
    expect(found?.title).toMatch(/ completed \(run of .+\)$/);
    await owner.client.call(roles.unsetUserSpaceRole, { params: inSpace });
    const unseen = await run();
    expect((await list(guest)).some(({ metadata }) => metadata['run'] === unseen)).toBe(false);
  });

  it('can be marked as seen and unseen, and deleted, by its user', async () => {
    const run = await startRun(owner, SUCCEEDING);
    const { id } = await eventually(async () => {
      const found = (await list(owner)).find(({ metadata }) => metadata['run'] === run.id);
      if (!found) throw new Error('The notification has not arrived yet.');
      return found;
    });
    const seen = await owner.client.call(notifications.updateNotification, { params: { id }, body: { seen: true } });
    expect(seen).toMatchObject({ id, seen: true, is_read: true });
    const deleted = await rawRequest(owner, 'DELETE', `/api/notifications/${id}`);
    expect({ status: deleted.status, body: deleted.body }).toEqual({ status: 200, body: { success: true } });
    for (const method of ['PUT', 'DELETE'] as const) {
      const again = await rawRequest(owner, method, `/api/notifications/${id}`, method === 'PUT' ? { body: '{}' } : {});
      expect({ status: again.status, ...again.body }).toMatchObject({ status: 404, code: 'not_found' });
    }
  });
});

describe('the configuration of notifications', () => {
  const put = (config: unknown) =>
    rawRequest(owner, 'PUT', '/api/notification-config', { body: JSON.stringify({ config }) });

  it('is a string that contains JSON', async () => {
    const { status, body } = await put('{"TOOL_RELEASED":{"email":true}}');
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: expect.any(String), user_info: owner.user, modified_date: expect.any(String) });
    expect(body.config).toMatchObject({ TOOL_RELEASED: { email: true, in_app: true } });
    expect(await owner.client.call(notificationConfig.getNotificationConfig)).toEqual(body);
  });

  it.each([
    ['body.config', '{'],
    ['body.config', { TOOL_RELEASED: { email: true } }],
    ['body.config.TOOL_BROKEN', '{"TOOL_BROKEN":{}}'],
  ])('that is invalid at %s changes nothing', async (field, config) => {
    const before = await owner.client.call(notificationConfig.getNotificationConfig);
    const { status, body } = await put(config);
    expect({ status, ...body }).toMatchObject({ status: 400, code: 'validation_error' });
    expect(Object.keys((body as { details: object }).details)).toEqual([field]);
    expect(await owner.client.call(notificationConfig.getNotificationConfig)).toEqual(before);
  });
});

it('the stream delivers new notifications, and resumes after the last one received', async () => {
  const reader = await invite(owner);
  const make = (name: string) =>
    owner.client.call(library.createModule, { body: { name, script: { source: 'echo' } } });
  const first = followNotifications(reader);
  await eventually(() => expect(first.counts).toEqual([0]));
  await make('One');
  await eventually(() => expect(first.titles).toEqual(['New script: One']));
  await eventually(() => expect(first.counts.at(-1)).toBe(1));
  await first.stop();
  await make('Two');
  await waitForNotification(reader, /Two/);
  const second = followNotifications(reader, first.last());
  await eventually(() => expect(second.titles).toEqual(['New script: Two']));
  await reader.client.call(notifications.markNotifications);
  await eventually(() => expect(second.counts.at(-1)).toBe(0));
  await second.stop();
});
